import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../support/announcements.ts'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo, withDatabase } from '../../support/chat-user.ts'
import { callTool, fail, say } from '../../support/model-reply.ts'
import { type Site, startSite } from '../../support/search-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Sentences of the server and our own tools are shown in the language of the browser; other tools keep their words.

let page: Page
/** A search provider. */
let site: Site
const [browser, chat] = useBrowser(async () => {
  site = await startSite({ '/search': found })
  return startChatStack({ SERPER_API_BASE_URL: site.url })
})

const found = { body: '{"organic":[]}', type: 'application/json' }
const mail = { to: ['ada@example.com'], subject: 'Sommerfest', body: 'Komm vorbei.' }
const { to: _, ...withoutRecipient } = mail

let failures = 0
/** The model answers when it is let go. */
const release: (() => void)[] = []
const held = () => new Promise<void>((resolve) => release.push(resolve))

describe.skipIf(!chromiumPath)('in a German browser', () => {
  beforeAll(async () => {
    await withDatabase(chat.stack, async (sql) => {
      await sql.unsafe(`
        create function public.plan_visit(day text) returns text language plpgsql as $$
          begin
            if day <> 'Friday' then raise exception 'Question: Which day suits the dentist?' using hint = 'Only Friday is free.'; end if;
            return 'Planned.';
          end $$;
        select askback.offer_function('plan_visit', title => 'Plan a visit', approval => 'never')`)
    })
    await setMailApproval(chat.stack, 'always')
    chat.model.use(async ({ body }) => {
      const last = body.messages.at(-1)
      const asked = body.messages.findLast(({ role }) => role === 'user')
      const said = JSON.stringify(asked?.content)
      if (said.includes('Zahnarzt')) return callTool('plan_visit', { day: 'Monday' })
      if (said.includes('Suche') && last?.role === 'user') return callTool('web_search', { query: 'Hafen' })
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:'))
        return say('Erledigt.')
      if (said.includes('ohne Adresse')) return callTool('smtp_send_email', withoutRecipient)
      if (said.includes('Lade ada@example.com ein')) return callTool('smtp_send_email', mail)
      if (said.includes('Antworte spät') && failures++ < 2) return fail(503)
      if (said.includes('Lass dir Zeit') || said.includes('Antworte spät')) await held()
      return say('Gut.')
    })
    page = await browser.open(chat.stack.url, { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    await page.getByRole('button', { name: /Demo/i }).click()
    await page.getByRole('textbox', { name: 'Nachricht' }).waitFor()
  })
  afterAll(() => site?.[Symbol.asyncDispose]())
  afterEach(async () => {
    expect(browser.complaints()).toEqual([])
    // A page that looks at what is deleted here would complain.
    await page.goto('about:blank')
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await page.goto(chat.stack.url)
    await page.getByRole('textbox', { name: 'Nachricht' }).waitFor()
  })

  async function write(text: string) {
    await page.getByRole('textbox', { name: 'Nachricht' }).fill(text)
    await page.getByRole('button', { name: 'Senden', exact: true }).click()
  }
  const log = () => page.getByRole('log')
  const card = () => page.getByRole('group', { name: 'Freigabe nötig' })

  it('a call that waits counts down', async () => {
    const { token } = await signInDemo(chat.stack)
    const connected = await fetch(`${chat.stack.url}/functions/v1/integration-settings/connections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ provider: 'serper', values: { api_key: 'good-key' } }),
    })
    expect(connected.status).toBe(201)
    site.pages.set('/search', { body: '{}', status: 429, headers: { 'retry-after': '6' } })
    const heard = await listen(page)
    await write('Suche den Hafen')
    const wait = log().getByText(/Neuer Versuch in \d+ s/)
    await wait.waitFor()
    site.pages.set('/search', found)
    const left = async () => Number.parseInt((await wait.innerText()).replace(/\D+/, ''), 10)
    const first = await left()
    for (const seconds of [first, first - 1]) await expect.poll(left).toBeLessThan(seconds)
    await page.getByText('Erledigt.').waitFor()
    expect(await log().innerText()).not.toContain('Neuer Versuch')
    // Who cannot see it hears once that it waits, and not how the seconds go by.
    await expect
      .poll(heard)
      .toEqual(['In Arbeit …', expect.stringMatching(/^Neuer Versuch in \d+ s$/), 'Erledigt.'])
  })

  it('a mail asks for its address and for a yes', async () => {
    await write('Schreib jemandem, ohne Adresse')
    const form = page.getByRole('form', { name: /^An wen soll ich diese E-Mail senden\?/ })
    await form.waitFor()
    await expect.poll(() => card().innerText()).toContain('„Sommerfest“ an „…“ senden')
    expect(await card().innerText()).not.toMatch(/Bitte nenne|Please/)
    const field = form.getByRole('textbox', { name: 'E-Mail-Adresse des Empfängers' })
    expect(await findBarriers(page)).toEqual([])
    await field.fill('ada@example.com')
    expect(await card().locator('dt').allInnerTexts()).toContain('Betreff')
    await card()
      .getByRole('button', { name: /^Senden/ })
      .click()
    await log().getByText('„Sommerfest“ an „ada@example.com“ gesendet').first().waitFor()
    await log().getByText('Erledigt.').waitFor()
    expect(await log().innerText()).not.toMatch(/recipient|Send|Sent/)
    expect(chat.model.requests.map(({ body }) => JSON.stringify(body)).join()).not.toMatch(
      /E-Mail-Adresse|Betreff|An wen|whyValues|codeValues/,
    )
  })

  it('a mail that was sent is told of in one line, at once and after a reload', async () => {
    await write('Lade ada@example.com ein')
    await card()
      .getByRole('button', { name: /^Senden/ })
      .click()
    const line = log().getByRole('button', {
      name: /E-Mail senden „Sommerfest“ an „ada@example\.com“ gesendet/,
    })
    await line.waitFor()
    await log().getByText('Erledigt.').waitFor()
    await page.reload()
    await line.waitFor()
    expect(await log().innerText()).not.toMatch(/Send|Sent/)
  })

  it('a denied mail is told of by the receipt alone', async () => {
    await write('Lade ada@example.com ein')
    await card().getByRole('button', { name: 'Ablehnen', exact: true }).click()
    await log()
      .getByText(/^Abgelehnt/)
      .waitFor()
    expect(await log().innerText()).not.toContain('You ')
  })

  it('a model that does not respond is told of while it is asked again', async () => {
    await write('Antworte spät')
    await expect.poll(() => release.length).toBe(1)
    const notice = log().getByText('Das Sprachmodell antwortet nicht; neuer Versuch …')
    await notice.waitFor()
    for (const go of release.splice(0)) go()
    await log().getByText('Gut.').waitFor()
    expect(await notice.count()).toBe(0)
  })

  it('a stopped run says so, as it is written and after a reload', async () => {
    await write('Lass dir Zeit')
    await expect.poll(() => release.length).toBe(1)
    await page.getByRole('button', { name: 'Stopp', exact: true }).click()
    await log().getByText('Gestoppt.').waitFor()
    for (const go of release.splice(0)) go()
    await page.reload()
    await log().getByText('Gestoppt.').waitFor()
    await log().getByText('Es wurde nichts ausgeführt.').waitFor()
  })

  it('the settings say why an account does not work, when it is connected and afterwards, and what tools do', async () => {
    const { host, port, user } = chat.stack.smtp
    const marked = { code: 'key_refused', values: { provider: 'Brave' } }
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.connections (user_id, provider, status, last_error, last_said)
        select id, 'brave', 'failed', 'Question: Brave did not accept your API key.', ${sql.json(marked)}
        from auth.users where email = ${chat.stack.demoUser.email}`,
    )
    await page.goto(`${chat.stack.url}/settings/integrations`)
    await page
      .getByRole('region', { name: 'Brave' })
      .getByText(
        'Brave nimmt diesen API-Schlüssel nicht an. Kopiere ihn dort noch einmal und trage ihn hier ein.',
      )
      .waitFor()
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByText(/^Werkzeuge: [^,]+, [^,]+$/).waitFor()
    await smtp.getByRole('button', { name: 'Weitere verbinden' }).click()
    const form = smtp.getByRole('form', { name: 'SMTP verbinden' })
    await form.getByLabel('Benutzername').fill(user)
    await form.getByLabel('Mailserver').fill(host)
    await form.getByLabel('Port').fill(String(port))
    await form.getByLabel('Passwort').fill('falsch')
    await form.getByRole('button', { name: 'Verbinden' }).click()
    await form
      .getByRole('alert')
      .getByText(
        'SMTP nimmt diese Zugangsdaten nicht an. Prüfe sie; viele Mailanbieter verlangen ein App-Passwort.',
      )
      .waitFor()
    // The browser itself notes what was refused.
    expect(browser.complaints()).toMatchObject([{ status: 422 }])
    await form.getByRole('button', { name: 'Abbrechen' }).click()
    // What only the server refuses is said beside its field.
    await smtp.getByRole('button', { name: 'Ändern' }).click()
    const change = smtp.getByRole('form', { name: 'SMTP ändern' })
    await change.getByLabel('Mailserver').fill('mail.example.com')
    await change.getByRole('button', { name: 'Speichern' }).click()
    await change.getByText('Passwort fehlt.').waitFor()
    expect(await change.getByLabel('Passwort').getAttribute('aria-invalid')).toBe('true')
    expect(await change.innerText()).not.toMatch(/Expected|missing|required/)
    expect(await findBarriers(page)).toEqual([])
    browser.complaints()
    await change.getByRole('button', { name: 'Abbrechen' }).click()
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByText('Sendet eine E-Mail über deinen Mailserver.').waitFor()
    expect(await page.getByRole('region', { name: 'Werkzeuge' }).innerText()).not.toMatch(
      /Sends|Searches|Reads/,
    )
    await withDatabase(chat.stack, (sql) => sql`delete from askback.connections where provider = 'brave'`)
  })

  it('what a tool of somebody else asks keeps its words', async () => {
    await write('Geh zum Zahnarzt')
    const form = page.getByRole('form', { name: /^Plan a visit fragt: Which day suits the dentist\?/ })
    await form.waitFor()
    await form.getByRole('textbox', { name: 'Day' }).waitFor()
  })
})
