import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Pending } from '../../client/api/message.ts'
import { chromiumPath, findBarriers, resize, settled, sidewaysScroll } from '../../support/browser.ts'
import { isOnTop, pressUntil } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, setMailApproval, signInDemo, withDatabase } from '../../support/chat-user.ts'
import { serveGermanApp } from '../../support/embedded-chat.ts'
import { gate } from '../../support/gate.ts'
import { callTool, callTools, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// `<AskbackChat>` in a German app, on a small phone that is touched.

const [browser, chat] = useBrowser(() => startChatStack())
let app: Awaited<ReturnType<typeof serveGermanApp>>
let page: Page
let demo: ChatUser
/** What the model waits for before it tells something. */
let thinking = gate()
thinking.open()

const people = ['ada', 'bob', 'cleo'].map((name) => `${name}@example.com`)
const letter = (to: string | undefined) => ({
  ...(to ? { to: [to] } : {}),
  subject: 'Sommerfest',
  body: 'Liebe alle,\nwir feiern am Samstag im Garten.\n\nBringt gern Salate mit.\n\nHerzliche Grüße\nDora',
})

const lines = (count: number) => Array.from({ length: count }, (_, line) => `Zeile ${line + 1}`).join('\n\n')

const log = () => page.getByRole('log', { name: 'Unterhaltung' })
const docked = () => page.getByRole('region', { name: 'Wartet auf dich' })
const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })
const receipts = () => log().locator('[data-receipt]')
const badge = () => page.getByRole('button', { name: 'Anfrage' })

async function write(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Nachricht' }).fill(text)
  await page.getByRole('button', { name: 'Senden', exact: true }).tap()
}

/** A tap so soon after another one, at the same place, does not count. */
async function select(several: Locator, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const box = several.getByRole('checkbox', { name })
    await pressUntil(
      () => box.tap(),
      () => box.isChecked(),
    )
  }
}

/** Whether what has the focus is seen whole, and what it is. */
const focused = () =>
  page.evaluate(() => {
    const active = document.activeElement ?? document.body
    const { left, top, right, bottom } = active.getBoundingClientRect()
    const isSeen = (x: number, y: number) => active.contains(document.elementFromPoint(x, y))
    const middle = (left + right) / 2
    return {
      receipt: active.getAttribute('data-receipt') !== null,
      isSeen: isSeen(middle, top + 2) && isSeen(middle, bottom - 2),
    }
  })

/** What the focus is in: `body` where it is lost. */
const focusIn = (selector: string) =>
  page.evaluate(
    (selector) =>
      document.activeElement?.closest(selector) ? selector : document.activeElement?.tagName.toLowerCase(),
    selector,
  )

/** Texts within a place that match, and stand on more than one line. */
const brokenIn = (within: Locator, pattern: RegExp) =>
  within.evaluate((place, source) => {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: found, index } of (text.textContent ?? '').matchAll(new RegExp(source, 'gu'))) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + found.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          broken.push(found)
      }
    return broken
  }, pattern.source)

/** Whether the first line of an element is seen whole. */
const isBeginSeen = (element: Element) => {
  const range = document.createRange()
  range.selectNodeContents(element)
  const [{ left, top, bottom } = { left: 0, top: 0, bottom: 0 }] = range.getClientRects()
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 4, y)))
}

/** Words of labels that stand on more than one line, wherever they are scrolled to. */
const brokenWords = (within: Locator) =>
  within.evaluate((place) =>
    [...place.querySelectorAll('dt, th, label, .askback-label')].flatMap((label) => {
      if (!label.checkVisibility()) return []
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
      const broken: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            broken.push(word)
        }
      return broken
    }),
  )

describe.skipIf(!chromiumPath)('the embedded chat on a small phone, in German', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const begin = body.messages.findLastIndex(({ role }) => role === 'user')
      const said = JSON.stringify(body.messages[begin]?.content)
      const whole = JSON.stringify(body.messages)
      const results = body.messages.slice(begin).filter(({ role }) => role === 'tool').length
      // At first, what it has to say itself is missing, too.
      const { subject: _, ...withoutSubject } = letter(undefined)
      if (said.includes('jemand') && results < 2)
        return callTool('smtp_send_email', results === 0 ? withoutSubject : letter(undefined))
      if (said.includes('Erzähl')) return thinking.opened.then(() => say(lines(40)))
      if (results > 0)
        return whole.includes('Zeig')
          ? thinking.opened.then(() => say('Ende'))
          : say(whole.includes('ausführlich') ? lines(12) : 'Das ist erledigt.')
      if (said.includes('Geschichte')) return say(`${lines(40)}\n\nLeuchtturm`)
      if (said.includes('beide'))
        return callTools(people.slice(1).map((one) => ['smtp_send_email', letter(one)] as const))
      if (said.includes('Grüß'))
        return callTool('smtp_send_email', { ...letter('dora@example.com'), subject: 'Gruß' })
      if (said.includes('alle'))
        return callTools(people.map((one) => ['smtp_send_email', letter(one)] as const))
      if (said.includes('Lade')) return callTool('smtp_send_email', letter('dora@example.com'))
      return say('Gern geschehen.')
    })
    await setMailApproval(chat.stack, 'always')
    demo = await signInDemo(chat.stack)
    // The functions have started when a page asks them.
    await demo.post({ message: 'Danke' })
    app = await serveGermanApp(chat.stack)
  })
  afterAll(() => app?.close())
  beforeEach(async () => {
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, async (sql) => {
      await sql`delete from askback.conversations`
      await sql`delete from askback.permissions`
    })
    page = await browser.open(app.url, { width: 360, height: 640, touch: true, locale: 'de-DE' })
  })

  it.each([
    ['2 freigeben', ['ada', 'cleo'], 'cleo'],
    ['2 freigeben', ['ada', 'cleo'], 'ada'],
    ['2 ablehnen', ['bob', 'cleo'], 'bob'],
    ['Alle 3 freigeben', people, 'ada'],
  ])('shows the receipt that the focus goes to (%s: %s, the last one: %s)', async (name, chosen, late) => {
    await write(`Lade alle ein: ${people.join(', ')}`)
    await docked().getByText('Alle 3 auf einmal entscheiden').tap()
    const several = docked().getByRole('group', { name: '3 Freigaben' })
    await select(several, chosen)
    const held = gate()
    const { items } = (await demo.get('/open')).body as { items: Pending[] }
    const last = items.find(({ values }) => String(values?.to).startsWith(late))?.itemId ?? ''
    await page.route('**/approval', async (route) => {
      if (route.request().postData()?.includes(last)) await held.opened
      await route.continue()
    })
    await settled(page)
    await button(several, name).tap()
    await expect.poll(() => receipts().count()).toBeGreaterThanOrEqual(chosen.length - 1)
    held.open()
    await expect.poll(() => receipts().count()).toBe(chosen.length)
    await expect.poll(focused).toEqual({ receipt: true, isSeen: true })
    await settled(page)
    expect(await focused()).toEqual({ receipt: true, isSeen: true })
  })

  it('shows the receipt that the focus goes to, wherever the conversation was scrolled to', async () => {
    await write('Danke')
    await log().getByText('Gern geschehen.').waitFor()
    await write(`Lade alle ein: ${people.join(', ')}`)
    await docked().getByText('Alle 3 auf einmal entscheiden').tap()
    const several = docked().getByRole('group', { name: '3 Freigaben' })
    await select(several, ['ada', 'cleo'])
    await log().evaluate((one) => one.closest('.askback-chat-scroll > *')?.scrollTo(0, 0))
    await settled(page)
    await button(several, '2 freigeben').tap()
    await expect.poll(() => receipts().count()).toBe(2)
    await expect.poll(focused).toEqual({ receipt: true, isSeen: true })
  })

  it('breaks no label within a word, however long its words are', async () => {
    await page.route('**/functions/v1/chat/conversations/*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const more = { Empfangsbestätigungsanforderung: 'ada@example.com', Rechtsschutzversicherung: 'ja' }
      for (const { parts } of body.messages ?? [])
        for (const part of parts) {
          if (part.output) Object.assign(part.output, more)
          if (part.input) Object.assign(part.input, more, { reply_to: 'ada@example.com' })
        }
      await route.fulfill({ response, json: body })
    })
    await write('Lade dora@example.com ein')
    await docked().locator('.askback-letter dt').first().waitFor()
    expect(await brokenWords(docked())).toEqual([])
    await button(docked(), 'Ändern').tap()
    expect(await brokenWords(docked())).toEqual([])
    await button(docked(), 'Abbrechen').tap()
    await settled(page)
    await button(docked(), 'Senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await page.reload()
    await log().locator('.askback-tool button[aria-expanded]').first().tap()
    await log().getByText('Nachrichten-ID').waitFor()
    await log().getByText('Empfangsbestätigungsanforderung').first().waitFor()
    expect(await brokenWords(log())).toEqual([])
    expect(await sidewaysScroll(page)).toBe(0)
    const beyond = await log()
      .locator('.askback-tool')
      .first()
      .evaluate((tool) => {
        const { right } = tool.getBoundingClientRect()
        return [...tool.querySelectorAll('dt, dd')].filter((one) => one.getBoundingClientRect().right > right)
          .length
      })
    expect(beyond).toBe(0)
  })

  it('shows the way to what would always be allowed, and leads there', async () => {
    await write('Lade dora@example.com ein')
    const always = button(docked(), 'Immer erlauben und jetzt senden')
    await always.waitFor()
    const way = docked().getByText('Immer erlauben …')
    expect(await always.evaluate(isOnTop)).toBe(false)
    expect(await way.evaluate(isOnTop)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await settled(page)
    await way.tap()
    await expect.poll(() => always.evaluate(isOnTop)).toBe(true)
    for (const name of ['Senden', 'Ablehnen'])
      expect(await button(docked(), name).evaluate(isOnTop)).toBe(true)
    await button(docked(), 'Ändern').tap()
    await way.waitFor({ state: 'hidden' })
  })

  it('leaves titles their room beside what waits, and beside their menus', async () => {
    await write(`Lade dora@example.com ein, und danach schreiben wir noch an ${people[0]}`)
    await page.getByRole('button', { name: '1 Anfrage wartet auf dich' }).waitFor()
    const title = page.getByRole('heading', { level: 2, name: /^Lade dora/ }).first()
    const width = () => title.evaluate((one) => one.clientWidth)
    await expect.poll(width).toBeGreaterThan(120)
    expect(await findBarriers(page)).toEqual([])
    await button(page.locator('header'), 'Unterhaltungen').tap()
    const row = page.getByRole('region', { name: 'Unterhaltungen' }).getByRole('listitem').first()
    const [end = 0, menu = 0] = await row
      .locator('.askback-conversation-title, .askback-icon-button')
      .evaluateAll(([title, menu]) => [
        title?.getBoundingClientRect().right,
        menu?.getBoundingClientRect().left,
      ])
    expect(end).toBeLessThanOrEqual(menu)
  })

  it('says when an answer was given, which is never before what stands above it', async () => {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.messages
        set created_at = created_at - interval '3 minutes', written_at = written_at - interval '3 minutes'`,
    )
    await settled(page)
    await button(docked(), 'Senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    const times = () =>
      log()
        .locator('time')
        .evaluateAll((all) => all.map((one) => Date.parse((one as HTMLTimeElement).dateTime)))
    const isInOrder = async () => {
      const shown = await times()
      return shown.length === 3 && shown.every((time, index) => time >= (shown[index - 1] ?? 0))
    }
    await expect.poll(isInOrder).toBe(true)
    await page.reload()
    await expect.poll(isInOrder).toBe(true)
  })

  it('does not say of a call that it corrected itself, if somebody has filled it in', async () => {
    await write('Lade jemand ein')
    await docked().getByRole('textbox').first().fill('ada@example.com')
    await settled(page)
    await button(docked(), 'Senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await log().getByRole('group', { name: 'Korrigierter Aufruf' }).waitFor()
    expect(await log().getByText('hat sich selbst korrigiert').count()).toBe(0)
    await page.reload()
    await log().getByRole('group', { name: 'Korrigierter Aufruf' }).waitFor()
    expect(await log().getByText('hat sich selbst korrigiert').count()).toBe(0)
  })

  it('shows the end of an answer that came as the keyboard was put away', async () => {
    const end = () =>
      log().evaluate((one) => {
        const {
          scrollHeight = 0,
          scrollTop = 0,
          clientHeight = 0,
        } = one.closest('.askback-chat-scroll > *') ?? {}
        return scrollHeight - scrollTop - clientHeight
      })
    const keyboard = async (...heights: number[]) => {
      for (const height of heights) await resize(page, { width: 360, height })
    }
    await write('Erzähl viel')
    await log().getByText('Zeile 40').waitFor()
    for (const count of [2, 3]) {
      await keyboard(540, 440, 340)
      await expect.poll(end).toBeLessThan(2)
      thinking = gate()
      await write('Erzähl mehr')
      await log()
        .getByText('Erzähl mehr')
        .nth(count - 2)
        .waitFor()
      await keyboard(440, 540, 640)
      thinking.open()
      await expect.poll(() => log().getByText('Zeile 40').count()).toBe(count)
      await page.getByRole('button', { name: 'Senden', exact: true }).waitFor()
      await expect.poll(end).toBeLessThan(2)
    }
    expect(await page.getByRole('button', { name: 'Neueste Nachricht' }).count()).toBe(0)
  })

  it('has one heading of the first level, whether its list or a conversation is seen', async () => {
    const one = page.getByRole('heading', { level: 1 })
    const isWhole = async () => {
      await expect.poll(() => one.allInnerTexts()).toEqual(['Chat'])
      expect(await findBarriers(page)).toEqual([])
    }
    await isWhole()
    await write('Danke')
    await log().getByText('Gern geschehen.').waitFor()
    await isWhole()
    await button(page.locator('header'), 'Unterhaltungen').tap()
    const list = page.getByRole('region', { name: 'Unterhaltungen' })
    await list.getByRole('link', { name: 'Danke' }).waitFor()
    await isWhole()
    await list.getByRole('searchbox').fill('Danke')
    await list.getByRole('status').getByText('1 Treffer').waitFor()
    await isWhole()
  })

  /** A mail to Dora is sent, and a second one waits that may be the same. */
  async function repeat(first = 'Senden') {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await button(docked(), first).tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await write('Grüß sie auch von mir')
    await docked().getByText('Das hier auch?').waitFor()
    await settled(page)
  }

  it('says of a repetition that was denied what was not sent, and not what had been', async () => {
    await repeat()
    await button(docked(), 'Ablehnen').tap()
    await log().getByText('Das ist erledigt.').nth(1).waitFor()
    const line = log().locator('.askback-tool > button').last()
    const told = () => line.locator('.askback-tool-line').innerText()
    await expect.poll(told).toMatch(/Abgelehnt: „Gruß“ an „dora@example.com“ senden$/)
    await page.reload()
    await log().getByText('Das ist erledigt.').nth(1).waitFor()
    await expect.poll(told).toMatch(/Abgelehnt: „Gruß“ an „dora@example.com“ senden$/)
    expect(await log().innerText()).not.toContain('Das hier auch?')
  })

  it('says why it asks about what is allowed without asking', async () => {
    await repeat('Immer erlauben und jetzt senden')
    await docked().getByText('Das ist ohne Nachfrage erlaubt; gefragt wird nur,').waitFor()
  })

  it('says of a mail that was sent without asking that nobody was asked', async () => {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await button(docked(), 'Immer erlauben und jetzt senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await button(page.locator('header'), 'Neuer Chat').tap()
    await write('Grüß dora@example.com')
    await log().getByText('Das ist erledigt.').waitFor()
    await log().getByText('Ohne Nachfrage gesendet').waitFor()
  })

  it('shows what taking a permission back has changed from its beginning, while a card waits', async () => {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await button(docked(), 'Immer erlauben und jetzt senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await write(`Lade alle ein: ${people.join(', ')}`)
    await docked().getByText('Alle 3 auf einmal entscheiden').waitFor()
    await settled(page)
    const take = log().getByRole('button', { name: /^Zurücknehmen/ })
    await take.scrollIntoViewIfNeeded()
    await take.tap()
    const sentence = log().getByText(/^Erlaubnis zurückgenommen: Bei/)
    await expect.poll(() => sentence.evaluate(isBeginSeen)).toBe(true)
    await settled(page)
    expect(await sentence.evaluate(isBeginSeen)).toBe(true)
  })

  it('leads to the next card although the list of all is open, and leaves that open', async () => {
    await write(`Lade alle ein: ${people.join(', ')}`)
    await docked().getByText('Alle 3 auf einmal entscheiden').tap()
    const several = docked().getByRole('group', { name: '3 Freigaben' })
    await select(several, ['ada'])
    await docked().getByRole('button', { name: 'Nächste (1 von 3)' }).tap()
    const asked = docked().locator('.askback-approval h2')
    await asked.getByText('bob@example.com').waitFor()
    await expect.poll(() => asked.evaluate(isBeginSeen)).toBe(true)
    expect(await several.getByRole('checkbox', { name: 'ada' }).isChecked()).toBe(true)
  })

  it('keeps its ways below a card in one row', async () => {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Im Chat antworten').waitFor()
    const tops = await docked()
      .locator('.askback-docked-actions > button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(tops.length).toBe(2)
    expect(new Set(tops).size).toBe(1)
  })

  it('offers another try in words after a mail that could not be sent', async () => {
    const port = (to: number) =>
      withDatabase(
        chat.stack,
        (sql) => sql`
          update askback.connections set metadata = jsonb_set(metadata::jsonb, '{port}', ${sql.json(to)}::jsonb)
          where provider = 'smtp'`,
      )
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await port(1)
    try {
      await button(docked(), 'Senden').tap()
      await log().getByText('Das ist erledigt.').waitFor()
    } finally {
      await port(chat.stack.smtp.port)
    }
    const again = log().getByRole('button', { name: 'Noch einmal versuchen' })
    expect(await again.innerText()).toBe('Noch einmal versuchen')
    expect(await findBarriers(page)).toEqual([])
    await again.tap()
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await button(docked(), 'Senden').tap()
    await expect.poll(() => chat.stack.inbox.messages()).toHaveLength(1)
    await log().getByText('Das ist erledigt.').waitFor()
    expect(await again.count()).toBe(0)
  })

  it('says at Enter what a field lacks, and what sends it once nothing does', async () => {
    await write('Lade jemand ein')
    const field = docked().getByRole('textbox').first()
    // What was just shown takes no key before something was typed.
    await field.fill('a')
    await field.fill('')
    await field.press('Enter')
    await docked().getByText('E-Mail-Adresse des Empfängers fehlt.').waitFor()
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await field.fill('ada@@example.com')
    await field.press('Enter')
    await docked().getByText('„ada@@example.com“ ist keine vollständige E-Mail-Adresse.').waitFor()
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await field.fill('ada@example.com')
    await field.press('Enter')
    await docked().getByText('Jetzt mit „Senden“ bestätigen.').waitFor()
    expect(await button(docked(), 'Senden').evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    expect(await chat.stack.inbox.messages()).toEqual([])
    await field.focus()
    expect(await docked().getByText('Jetzt mit').count()).toBe(0)
  })

  it('says no more that the server cannot be reached once the device has its connection back', async () => {
    await write('Lade dora@example.com ein')
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await page.context().setOffline(true)
    await button(docked(), 'Senden').tap()
    const problem = docked().getByText('Der Server ist nicht erreichbar.')
    await problem.waitFor()
    await page.context().setOffline(false)
    await problem.waitFor({ state: 'hidden' })
    expect(browser.complaints().every(({ status = 0 }) => status === 0)).toBe(true)
    await settled(page)
    await button(docked(), 'Senden').tap()
    await expect.poll(async () => (await chat.stack.inbox.messages()).length).toBe(1)
  })

  it('states below its fields what a form does, which is no second question', async () => {
    await write('Lade jemand ein')
    const will = docked().locator('.askback-will')
    expect(await will.innerText()).toBe('„Sommerfest“ an „…“ senden')
    await docked().getByRole('textbox').first().fill('ada@example.com')
    await expect.poll(() => will.innerText()).toBe('„Sommerfest“ an „ada@example.com“ senden')
  })

  it('shows the time of an answer whole beside its versions', async () => {
    await write('Danke')
    await log().getByRole('button', { name: 'Neu antworten' }).tap()
    await log().getByText('2 von 2').waitFor()
    const time = log().locator('[data-role=assistant] time')
    await time.waitFor()
    expect(await time.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThanOrEqual(360)
    expect(await sidewaysScroll(page)).toBe(0)
  })

  it('leaves no quotation mark and no single letter of a word alone on a line', async () => {
    await write('Lade dora@example.com ein')
    await page.route('**/functions/v1/chat/conversations/*', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('dora@example.com', 'dora.langenscheidt@example.com')
      await route.fulfill({ response, body: text })
    })
    await button(docked(), 'Senden').waitFor()
    await settled(page)
    await button(docked(), 'Senden').tap()
    await log().getByText('Das ist erledigt.').waitFor()
    await page.reload()
    await log().getByText('Das ist erledigt.').waitFor()
    for (let width = 320; width <= 400; width += 8) {
      await resize(page, { width, height: 640 })
      expect([width, await brokenIn(log(), /„\S|\S“|E-Mail/)]).toEqual([width, []])
    }
  })

  it('keeps the focus where a phone has led: on the title of what was opened', async () => {
    await write('Danke')
    await log().getByText('Gern geschehen.').waitFor()
    await button(page.locator('header'), 'Neuer Chat').tap()
    await expect.poll(() => focusIn('h2')).toBe('h2')
    await button(page.locator('header'), 'Unterhaltungen').tap()
    await page.getByRole('region', { name: 'Unterhaltungen' }).getByRole('link', { name: 'Danke' }).tap()
    await log().getByText('Gern geschehen.').waitFor()
    await expect.poll(() => focusIn('h2')).toBe('h2')
  })

  it('shows the word that was searched for, and has the focus in its message', async () => {
    await write('Eine Geschichte')
    await log().getByText('Leuchtturm').waitFor()
    await button(page.locator('header'), 'Neuer Chat').tap()
    await button(page.locator('header'), 'Unterhaltungen').tap()
    const list = page.getByRole('region', { name: 'Unterhaltungen' })
    await list.getByRole('searchbox').fill('Leuchtturm')
    await list.getByRole('status').getByText('1 Treffer').waitFor()
    await list.getByRole('link', { name: /Geschichte/ }).tap()
    const word = log().getByText('Leuchtturm', { exact: true })
    await expect.poll(() => word.evaluate(isBeginSeen)).toBe(true)
    await expect.poll(() => focusIn('[data-role=assistant]')).toBe('[data-role=assistant]')
    expect(await page.evaluate(() => [...(CSS.highlights.get('askback-found') ?? [])].map(String))).toEqual([
      'Leuchtturm',
    ])
  })

  it('counts what waits anew as soon as something is decided, not once its answer is written', async () => {
    // Nothing is counted by the clock.
    await page.addInitScript(() => {
      navigator.locks.request = () => new Promise(() => {})
    })
    await page.reload()
    thinking = gate()
    await write('Lade dora@example.com ein. Zeig es mir.')
    await badge().waitFor()
    await settled(page)
    await button(docked(), 'Ablehnen').tap()
    await badge().waitFor({ state: 'detached' })
    thinking.open()
    await log().getByText('Ende', { exact: true }).waitFor()
  })

  it('leads from the number of what waits to the card', async () => {
    page = await browser.open(app.url, { width: 360, height: 640, locale: 'de-DE' })
    await page.getByRole('textbox', { name: 'Nachricht' }).fill('Lade dora@example.com ein')
    await page.keyboard.press('Enter')
    await button(docked(), 'Senden').waitFor()
    await badge().press('Enter')
    await expect.poll(() => focusIn('.askback-question')).toBe('.askback-question')
  })

  it.each([
    ['Beide freigeben', 2],
    ['Alle 3 freigeben', 3],
  ])('keeps the receipt in sight that the keyboard has led to (%s)', async (name, count) => {
    page = await browser.open(app.url, { width: 360, height: 640, locale: 'de-DE' })
    await page
      .getByRole('textbox', { name: 'Nachricht' })
      .fill(`Lade ${count === 2 ? 'beide' : 'alle'} ein, ausführlich: ${people.join(', ')}`)
    await page.keyboard.press('Enter')
    await docked().getByText('auf einmal entscheiden').press('Enter')
    const several = docked().getByRole('group', { name: `${count} Freigaben` })
    await several.getByRole('checkbox', { name: 'Alle auswählen' }).press('Space')
    await pressUntil(
      () => several.getByRole('button', { name }).press('Enter'),
      async () => (await receipts().count()) === count,
    )
    await log().getByText('Zeile 12').waitFor()
    await expect.poll(focused).toEqual({ receipt: true, isSeen: true })
    await settled(page)
    expect(await focused()).toEqual({ receipt: true, isSeen: true })
  })

  it('leads from the receipt of one decision to the next card by one Tab', async () => {
    page = await browser.open(app.url, { width: 360, height: 640, locale: 'de-DE' })
    await page.getByRole('textbox', { name: 'Nachricht' }).fill(`Lade alle ein: ${people.join(', ')}`)
    await page.keyboard.press('Enter')
    await pressUntil(
      () => button(docked(), 'Senden').press('Enter'),
      async () => (await receipts().count()) === 1,
    )
    await expect.poll(() => focusIn('[data-receipt]')).toBe('[data-receipt]')
    await docked().locator('.askback-approval h2').getByText('bob@example.com').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => focusIn('summary')).toBe('summary')
    await page.keyboard.press('Tab')
    await expect.poll(() => focusIn('.askback-question')).toBe('.askback-question')
  })

  it('opens the only conversation that a search finds by Enter, and of several the first has the focus', async () => {
    page = await browser.open(app.url, { width: 360, height: 640, locale: 'de-DE' })
    for (const text of ['Eine Geschichte', 'Danke für das Brot', 'Danke für die Butter']) {
      await page.getByRole('textbox', { name: 'Nachricht' }).fill(text)
      await page.keyboard.press('Enter')
      await log()
        .locator('article')
        .nth(1)
        .getByText(/Leuchtturm|Gern/)
        .waitFor()
      await button(page.locator('header'), 'Neuer Chat').press('Enter')
    }
    await button(page.locator('header'), 'Unterhaltungen').press('Enter')
    const list = page.getByRole('region', { name: 'Unterhaltungen' })
    await list.getByRole('searchbox').fill('Danke')
    await page.keyboard.press('Enter')
    await expect.poll(() => focusIn('li')).toBe('li')
    await list.getByRole('searchbox').fill('Leuchtturm')
    await page.keyboard.press('Enter')
    await log().getByText('Leuchtturm', { exact: true }).waitFor()
  })
})
