import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, resize, sidewaysScroll } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { demoScript } from '../../support/demo-script.ts'
import { gate } from '../../support/gate.ts'
import { type GoogleOAuthServer, googleClient, startGoogleOAuth } from '../../support/google-oauth-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

let google: GoogleOAuthServer
const [browser, chat] = useBrowser(async () => {
  google = await startGoogleOAuth()
  return startChatStack({
    GOOGLE_CLIENT_ID: googleClient.clientId,
    GOOGLE_CLIENT_SECRET: googleClient.clientSecret,
    GOOGLE_OAUTH_BASE_URL: google.url,
    ASKBACK_SIMULATE: 'search',
  })
})
let page: Page

describe.skipIf(!chromiumPath)('accounts and connections in a browser', () => {
  beforeAll(async () => {
    chat.model.use(demoScript({}))
    page = await browser.open(chat.stack.url)
  })
  afterAll(() => google?.close())

  it('makes an account, signs out, and lets nobody in with a wrong password', async () => {
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await page.getByLabel('Password').fill('wrong horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Email or password is wrong.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    // The browser itself notes the refused request.
    browser.complaints()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
  })

  it('asks for a missing connection, tests what is entered, and goes on by itself', async () => {
    const { host, port, user, password } = chat.stack.smtp
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('Send an email about the meeting to grace@example.com')
    await page.keyboard.press('Enter')
    const card = page.getByRole('group', { name: 'Connection needed' })
    await card.getByText('I’ll continue once you’ve connected.').waitFor()
    const opened = page.context().waitForEvent('page')
    await card.getByRole('link', { name: /^Connect/ }).click()
    const settings = await opened
    const smtp = settings.getByRole('region', { name: 'SMTP' })
    await expect
      .poll(() =>
        smtp
          .getByLabel(/host|server/i)
          .first()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await settings.keyboard.type(host)
    await smtp.getByLabel(/port/i).fill(String(port))
    await smtp.getByLabel(/user/i).fill(user)
    await smtp.getByLabel(/from|sender/i).fill('ada@example.com')
    await smtp.getByLabel(/password/i).fill('not the password')
    await smtp.getByRole('button', { name: 'Connect' }).click()
    await smtp.getByRole('alert').waitFor()
    expect(await findBarriers(settings)).toEqual([])
    browser.complaints()
    await smtp.getByLabel(/password/i).fill(password)
    await smtp.getByRole('button', { name: 'Connect' }).click()
    await smtp.getByText('Works').waitFor()
    await smtp.getByRole('button', { name: 'Test' }).click()
    await settings.getByText('SMTP works.').waitFor()
    await smtp.getByRole('link', { name: 'Back to the chat' }).press('Enter')
    await settings.getByRole('log', { name: 'Conversation' }).getByText('grace@example.com').first().waitFor()
    await settings.close()
    // A new user's agent asks before it writes to others.
    await page
      .getByRole('group', { name: 'Approval needed' })
      .getByRole('button', { name: 'Send email' })
      .click()
    await page.getByText(/I sent the email “Meeting” to grace@example.com/).waitFor()
    expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['grace@example.com']])
  })

  it('connects by signing in at the provider, and disconnects', async () => {
    await page.getByRole('link', { name: 'Integrations' }).click()
    const gmail = page.getByRole('region', { name: 'Gmail' })
    await gmail.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await gmail.getByText('ada@gmail.test').first().waitFor()
    expect(new URL(page.url()).search).toBe('?provider=gmail')
    await gmail.getByText('You allowed: Send mail, without seeing any.').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('ada@gmail.test')
    expect(await findBarriers(page)).toEqual([])
    await gmail.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Disconnect Gmail (ada@gmail.test)?' })
    await dialog.getByText('Your agents will no longer be able to use “Send email with Gmail”.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await gmail.getByText('ada@gmail.test').first().waitFor()
    await gmail.getByRole('button', { name: 'Disconnect' }).click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await gmail.getByText('Not connected').waitFor()
    await gmail.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('You didn’t allow access, so nothing was connected.').waitFor()
  })

  it('shows accounts once it can name their tools: nothing moves away from a press', async () => {
    const { opened: passed, open: pass } = gate()
    await page.route('**/chat/tools', async (route) => {
      await passed
      await route.continue()
    })
    const listed = page.waitForResponse('**/functions/v1/integration-settings')
    await page.goto(`${chat.stack.url}/settings/integrations`)
    await (await listed).finished()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.getByRole('region', { name: 'SMTP' }).count()).toBe(0)
    pass()
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.waitFor()
    expect(await smtp.innerText()).toContain('Send email')
    await page.unroute('**/chat/tools')
  })

  it('says what it needs a key for, and whose', async () => {
    await page.goto(chat.stack.url)
    await page.getByRole('textbox', { name: 'Message' }).fill('Search the web for tea')
    await page.keyboard.press('Enter')
    const card = page.getByRole('group', { name: 'Connection needed' })
    await card.getByText('To search the web I need a key from Serper, SerpAPI or Brave.').waitFor()
    await card.getByRole('button', { name: 'Skip' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Integrations' }).click()
  })

  it('says which key works where search is simulated, and not where to get another one', async () => {
    const serper = page.getByRole('region', { name: 'Serper' })
    await serper.getByRole('button', { name: 'Connect' }).click()
    await serper.getByText(/Search is simulated here: any API key works, such as “test”/).waitFor()
    expect(await serper.getByText('Please copy it').count()).toBe(0)
    expect(await serper.getByPlaceholder('Please copy it').count()).toBe(0)
    expect(await serper.getByRole('link', { name: /^Get a key/ }).count()).toBe(0)
    await serper.getByLabel('API key').fill('test')
    await serper.getByRole('button', { name: 'Connect' }).click()
    await serper.getByRole('article', { name: 'simulated' }).getByText('Works').waitFor()
    await serper.getByText(/simulated here/).waitFor({ state: 'detached' })
    await serper.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await serper.getByText('Not connected').waitFor()
  })

  it('changes a connection without asking for its password again, unless that would go elsewhere', async () => {
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('button', { name: 'Change' }).click()
    const form = smtp.getByRole('form', { name: 'Change SMTP' })
    expect(await form.getByLabel(/password/i).inputValue()).toBe('')
    await form.getByLabel(/from|sender/i).fill('team@example.com')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await smtp.getByText('Details').click()
    await smtp.getByText('team@example.com').first().waitFor()
    await smtp.getByRole('button', { name: 'Change' }).click()
    await form
      .getByLabel(/host|server/i)
      .first()
      .fill('localhost')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    browser.complaints()
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  it('switches a connection off and on', async () => {
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('button', { name: 'Switch off' }).click()
    await smtp.getByText('Switched off').waitFor()
    await smtp.getByRole('button', { name: 'Switch on' }).click()
    await smtp.getByText('Works').waitFor()
  })

  const focused = () => page.evaluate(() => document.activeElement?.textContent)

  it('names the field of a name that is taken, and says no more what was refused before', async () => {
    const { host, port, user, password } = chat.stack.smtp
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('button', { name: 'Change' }).click()
    const change = smtp.getByRole('form', { name: 'Change SMTP' })
    await change.getByLabel('Name of this connection').fill('Work')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.waitFor({ state: 'detached' })
    await smtp.getByRole('button', { name: 'Connect another' }).click()
    const form = smtp.getByRole('form', { name: 'Connect SMTP' })
    await form.getByLabel(/mail server/i).fill(host)
    await form.getByLabel(/port/i).fill(String(port))
    await form.getByLabel(/user/i).fill(user)
    await form.getByLabel(/password/i).fill('not the password')
    await form.getByLabel('Name of this connection').fill('Work')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel(/user/i).fill('')
    await form.getByLabel(/password/i).fill(password)
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText('User name is required.').waitFor()
    await expect.poll(() => form.getByRole('alert').count()).toBe(0)
    await form.getByLabel(/user/i).fill(user)
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText('Another connection already has this name. Choose a different one.').waitFor()
    const name = form.getByLabel('Name of this connection')
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await findBarriers(page)).toEqual([])
    browser.complaints()
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  it('empties a field and the name of a connection', async () => {
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('button', { name: 'Change' }).click()
    const form = smtp.getByRole('form', { name: 'Change SMTP' })
    await form.getByLabel(/sender/i).fill('')
    await form.getByLabel('Name of this connection').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const [stored] = await withDatabase(
      chat.stack,
      (sql) => sql`
        select label, metadata from askback.connections
        where provider = 'smtp' and user_id = (select id from auth.users where email = 'ada@example.com')`,
    )
    expect(stored?.label).toBe('')
    expect(stored?.metadata).not.toHaveProperty('from')
    await expect.poll(() => smtp.getByText('team@example.com').count()).toBe(0)
    await smtp.getByRole('button', { name: 'Change' }).click()
    await form.getByLabel(/sender/i).fill('team@example.com')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('shows a connection also when only the reply was lost', async () => {
    const { host, port, user, password } = chat.stack.smtp
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('button', { name: 'Connect another' }).click()
    const form = smtp.getByRole('form', { name: 'Connect SMTP' })
    await form.getByLabel(/mail server/i).fill(host)
    await form.getByLabel(/port/i).fill(String(port))
    await form.getByLabel(/user/i).fill(user)
    await form.getByLabel(/password/i).fill(password)
    await form.getByLabel(/sender/i).fill('lost@example.com')
    const isMaking = (url: URL) => url.pathname.endsWith('/integration-settings/connections')
    await page.route(isMaking, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await smtp.getByRole('article', { name: 'lost@example.com' }).waitFor()
    await page.unroute(isMaking)
    browser.complaints()
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  it('leaves the keyboard at a connection that was tested, changed, or disconnected', async () => {
    const smtp = page.getByRole('region', { name: 'SMTP' })
    const lost = smtp.getByRole('article', { name: 'lost@example.com' })
    const notes = page.getByText('SMTP works.')
    const close = page.getByRole('button', { name: 'Dismiss' })
    // All at once: some go by themselves meanwhile.
    await close.evaluateAll((all) => {
      for (const one of all) (one as HTMLElement).click()
    })
    const isList = (url: URL) => url.pathname.endsWith('/functions/v1/integration-settings')
    const { opened: held, open: letGo } = gate()
    await page.route(isList, async (route) => {
      await held
      await route.continue()
    })
    const lookedAgain = page.waitForRequest((request) => isList(new URL(request.url())))
    await lost.getByRole('button', { name: 'Test' }).press('Enter')
    await lookedAgain
    // It is told when it can be gone on from, not while everything is still switched off.
    expect(await lost.getByRole('button', { name: 'Change' }).isDisabled()).toBe(true)
    expect(await notes.count()).toBe(0)
    letGo()
    await notes.waitFor()
    await page.unroute(isList)
    await expect.poll(focused).toBe('Test')
    await lost.getByRole('button', { name: 'Change' }).press('Enter')
    await lost.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect.poll(focused).toBe('Change')
    await lost.getByRole('button', { name: 'Disconnect' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Disconnect SMTP (lost@example.com)?' })
    await dialog.getByRole('button', { name: 'Disconnect' }).press('Enter')
    await lost.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('SMTP')
  })

  it('shows how every account stands, what went wrong with it, and which comes first', async () => {
    const soon = new Date(Date.now() + 24 * 60 * 60 * 1000)
    await withDatabase(chat.stack, async (sql) => {
      const [user] = await sql`select id from auth.users where email = 'ada@example.com'`
      const rows = [
        { provider: 'gmail', label: 'a', account: 'a@gmail.test', expires_at: soon },
        {
          provider: 'gmail',
          label: 'b',
          account: 'b@gmail.test',
          status: 'expired',
          last_error: 'Sign in anew.',
        },
        {
          provider: 'serper',
          position: 0,
          status: 'failed',
          last_error:
            'Question: Serper does not accept your API key. Please check it, and enter it again in the integration settings.',
          last_said: sql.json({ code: 'key_refused', values: { provider: 'Serper' } }),
        },
        {
          provider: 'brave',
          label: 'Work',
          position: 1,
          status: 'failed',
          last_error: 'Question: Copy it again.',
        },
      ]
      for (const row of rows) await sql`insert into askback.connections ${sql({ ...row, user_id: user?.id })}`
    })
    await page.reload()
    const gmail = page.getByRole('region', { name: 'Gmail' })
    await gmail.getByText(/Sign in again by/).waitFor()
    await gmail.getByRole('article', { name: 'b@gmail.test' }).getByText('Sign in anew.').waitFor()
    const brave = page.getByRole('region', { name: 'Brave' })
    await brave.getByText('Not working').waitFor()
    await brave.getByText('Copy it again.').waitFor()
    await brave.getByRole('button', { name: 'Reconnect' }).waitFor()
    // What a chat would say leads here: here it is said what to do here.
    const serper = page.getByRole('region', { name: 'Serper' })
    await serper
      .getByText('Serper doesn’t accept this API key. Copy it from there again, and enter it here.')
      .waitFor()
    expect(await serper.innerText()).not.toContain('settings')
    const order = page.getByRole('region', { name: /^Order: Search the web/ })
    await order.getByRole('button', { name: 'Move up: Brave (Work)' }).click()
    await order.getByRole('button', { name: 'Move up: Serper' }).click()
    await order.getByRole('button', { name: 'Move up: Brave (Work)' }).click()
    await order.getByRole('button', { name: 'Move up: Serper' }).waitFor()
    const positions = await withDatabase(
      chat.stack,
      (sql) =>
        sql`select provider from askback.connections where provider in ('brave', 'serper') order by position`,
    )
    expect(positions.map(({ provider }) => provider)).toEqual(['brave', 'serper'])
    // What only one of two makes work goes on with the other one.
    await brave.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Your agents will use your other connections.').waitFor()
    await page.keyboard.press('Escape')
    expect(await findBarriers(page)).toEqual([])
    await resize(page, { width: 360, height: 780 })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })
})
