import { createClient } from '@supabase/supabase-js'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { chromiumPath, findBarriers, resize, sidewaysScroll } from '../../support/browser.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { openTransport } from '../../support/inbox-client.ts'
import { chatHeaders } from '../../support/open-webui.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'
const changed = 'staple battery horse'

const [browser, stack] = useBrowser(() => startStack({ env: { ASKBACK_CONFIRM_EMAIL: 'true' } }))
let page: Page

describe.skipIf(!chromiumPath)('an account, from its beginning to its end', () => {
  beforeAll(async () => {
    page = await browser.open(stack.url)
  })
  afterEach(() => {
    // The browser itself notes each request that was refused, as it should be.
    expect(browser.complaints().filter(({ status = 0 }) => status < 400)).toEqual([])
  })

  const fill = async (values: { email?: string; password?: string }, on = page) => {
    if (values.email !== undefined) await on.getByRole('textbox', { name: 'Email' }).fill(values.email)
    if (values.password !== undefined) await on.getByLabel('Password').fill(values.password)
  }
  const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click()
  const start = (on = page) => on.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
  /** The link of the newest mail to this address. */
  const linkOfMail = async (subject: RegExp) => {
    const mails = await stack.inbox.messages()
    const mail = mails.findLast((one) => one.to.includes(email) && subject.test(one.subject))
    const [link] = /https?:\/\/\S+\/auth\/v1\/verify[^\s"<)]+/.exec(mail?.text ?? '') ?? []
    if (link === undefined) throw new Error(`No mail like ${subject} has a link: ${JSON.stringify(mails)}`)
    return link
  }
  const signInAgain = async (on: Page, secret: string) => {
    await fill({ email, password: secret }, on)
    await press('Sign in', on)
  }

  it('goes on in the first empty field after each switch between signing in and signing up', async () => {
    const follow = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name)
    const rule = () =>
      page
        .getByLabel('Password')
        .evaluate(
          (field) =>
            document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
        )
    expect(await rule()).toBe(null)
    await follow('Create an account')
    await expect.poll(focused).toBe('email')
    expect(await rule()).toBe('At least 8 characters.')
    // Whoever has no account yet has forgotten no password.
    expect(await page.getByText('Forgot password?').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.type(email)
    await follow('I already have an account')
    await expect.poll(focused).toBe('password')
    expect(await rule()).toBe(null)
    await follow('Forgot password?')
    await expect.poll(focused).toBe('email')
    await follow('I already have an account')
    await expect.poll(focused).toBe('password')
    await fill({ email: '' })
  })

  it('says what is wrong with what was typed before it asks anybody', async () => {
    await press('Sign in')
    await page.getByText('Enter your email address.').waitFor()
    await press('Create an account')
    await fill({ email: 'ada', password: 'short' })
    await press('Create account')
    await page.getByText('“ada” isn’t a complete email address. Example: name@example.com.').waitFor()
    await fill({ email })
    await press('Create account')
    await page.getByText('Choose a password of at least 8 characters.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('says that sign-up is closed, and whom to ask', async () => {
    await page.route('**/auth/v1/signup*', (route) =>
      route.fulfill({ status: 422, json: { code: 422, error_code: 'signup_disabled', msg: 'No.' } }),
    )
    await fill({ email, password })
    await press('Create account')
    await page.getByText('Sign-up is closed. Ask your administrator.').waitFor()
    await page.unrouteAll()
  })

  it('makes an account by a mail, and lets nobody in before its link was opened', async () => {
    await fill({ email, password })
    await press('Create account')
    await page.getByText('Check your email and open the link we sent you.').waitFor()
    await press('I already have an account')
    await fill({ email, password })
    await press('Sign in')
    await page.getByText('Confirm this address first: open the link we sent you.').waitFor()
    await press('Send the email again')
    await page.getByText('Too many attempts. Wait a minute and try again.').waitFor()
    const inbox = await browser.open(new URL('/inbox', page.url()).href)
    await inbox.getByText(email).first().waitFor()
    await inbox.context().close()
    await page.goto(await linkOfMail(/confirm/i))
    await start()
    await page.getByRole('link', { name: `Account ${email}` }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
  })

  it('says that a link was used before', async () => {
    const other = await browser.open(await linkOfMail(/confirm/i))
    await other.getByText('This link has expired or was already used. Request a new one.').waitFor()
  })

  it('signs out, and lets nobody in with a wrong password', async () => {
    await press('Sign out')
    // Nor does anybody with what this browser had.
    const sessions = () =>
      withDatabase(
        stack,
        (sql) => sql`
          select id from auth.sessions where user_id = (select id from auth.users where email = ${email})`,
      )
    await expect.poll(sessions).toHaveLength(0)
    await fill({ email, password: 'wrong horse battery' })
    await press('Sign in')
    await page.getByText('Email or password is wrong.').waitFor()
  })

  it('leads from a forgotten password to a new one', async () => {
    await press('Forgot password?')
    await fill({ email })
    await press('Send me a link')
    await page.getByText('If there’s an account with this address, we’ve emailed it a link.').waitFor()
    await page.goto(await linkOfMail(/reset|password/i))
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    // It is still to be chosen after a reload: nobody knows the old one.
    await page.reload()
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await fill({ password: 'short' })
    await press('Save password')
    await page.getByText('Choose a password of at least 8 characters.').waitFor()
    await fill({ password })
    await press('Save password')
    await page.getByText('That’s already your password. Choose a different one.').waitFor()
    await fill({ password: changed })
    await press('Save password')
    await start()
  })

  it('changes a password for whoever knows the old one', async () => {
    await page.getByRole('link', { name: `Account ${email}` }).click()
    const form = page.getByRole('form', { name: 'Password' })
    await form.getByLabel('Current password').fill(password)
    await form.getByLabel('New password').fill(password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('The current password is wrong.').waitFor()
    await form.getByLabel('Current password').fill(changed)
    await form.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('shows a page also for an address that has none', async () => {
    const response = await page.goto(`${stack.url}/nowhere`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    // The browser itself notes a page that answers so.
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
    await page.getByRole('link', { name: 'Go to your chats.' }).click()
    await start()
  })

  it('opens the door when the session was ended elsewhere, and comes back to the same page', async () => {
    await page.goto(`${stack.url}/agents`)
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${stack.url}/settings/account`)
    await press('Sign out everywhere', other)
    await other.getByText('You are signed out on all of your devices, and your tokens are revoked.').waitFor()
    await page.getByText('You were signed out. Sign in again to continue.').waitFor()
    await signInAgain(page, password)
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    await other.close()
  })

  it('keeps what was being written when a session ends, for its user alone', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('half a thought')
    const other = await page.context().newPage()
    await other.goto(`${stack.url}/settings/account`)
    await press('Sign out everywhere', other)
    await page.getByText('You were signed out. Sign in again to continue.').waitFor()
    await press('Try the demo')
    await message.waitFor()
    await expect.poll(() => message.inputValue()).toBe('')
    await page.getByRole('link', { name: /^Account / }).click()
    await press('Sign out')
    await signInAgain(page, password)
    await message.waitFor()
    await expect.poll(() => message.inputValue()).toBe('half a thought')
    await message.fill('')
    await other.close()
  })

  it('opens the door when another device has ended all sessions', async () => {
    await page.goto(`${stack.url}/settings/integrations`)
    await page.getByRole('region', { name: 'SMTP' }).waitFor()
    // As if an hour had passed since: what is kept is refused, and so is what would renew it.
    await withDatabase(stack, (sql) => sql`delete from auth.sessions`)
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith('askback-1'))) {
        const session = JSON.parse(localStorage.getItem(key) ?? '{}')
        localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }))
      }
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signInAgain(page, password)
    await page.getByRole('region', { name: 'SMTP' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/integrations')
  })

  it('makes a token for an OpenAI client, shows it once, and revokes it', async () => {
    await page.getByRole('link', { name: 'OpenAI clients' }).click()
    const form = page.getByRole('form', { name: 'New token' })
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('Give the token a name').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('Open WebUI')
    await form.getByRole('radio', { name: 'Only some' }).check()
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('Choose at least one agent.').waitFor()
    await form.getByRole('checkbox', { name: 'Assistant' }).check()
    await form.getByLabel('Expires').selectOption('In 30 days')
    await form.getByRole('button', { name: 'Create token' }).click()
    const made = page.getByRole('region', { name: 'Your new token' })
    const chats = page.getByRole('region', { name: 'Keep chats together' })
    const webUi = chats.getByRole('textbox', { name: 'Open WebUI' })
    expect(JSON.parse(await webUi.inputValue())).toEqual(
      chatHeaders('{{CHAT_ID}}', '{{USER_MESSAGE_ID}}', '{{TASK}}'),
    )
    await chats.getByRole('button', { name: 'Copy LibreChat' }).waitFor()
    expect(await chats.getByRole('textbox', { name: 'OpenAI SDK' }).inputValue()).toContain(
      `base_url="${stack.url}/functions/v1/chat/v1"`,
    )
    const value = await made.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
    await made.getByRole('button', { name: 'Copy Token' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value)
    const baseUrl = await made.getByRole('textbox', { name: 'Base URL' }).inputValue()
    const model = await made.getByRole('textbox', { name: 'Model' }).inputValue()
    expect(await findBarriers(page)).toEqual([])
    // What the page shows is all that a client needs.
    const models = () =>
      fetch(`${baseUrl}/models/${model}`, { headers: { authorization: `Bearer ${value}` } })
    expect(await (await models()).json()).toMatchObject({ id: model, name: 'Assistant' })
    await made.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    const tokens = page.getByRole('region', { name: 'Tokens' })
    await tokens.getByText(/Assistant · last used .* · expires on/).waitFor()
    expect(await page.content()).not.toContain(value)
    await tokens.getByRole('button', { name: 'Revoke Open WebUI' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    expect((await models()).status).toBe(200)
    await tokens.getByRole('button', { name: 'Revoke Open WebUI' }).click()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await tokens.getByText('No tokens yet.').waitFor()
    expect((await models()).status).toBe(401)
  })

  it.each(['/settings/integrations/openai-clients', '/settings/account', '/settings/integrations', '/inbox'])(
    'shows %s on a phone without scrolling sideways',
    async (path) => {
      const size = page.viewportSize() ?? { width: 1280, height: 800 }
      await resize(page, { width: 360, height: 780 })
      await page.goto(`${stack.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await sidewaysScroll(page)).toBe(0)
      expect(await findBarriers(page)).toEqual([])
      await resize(page, size)
    },
  )

  it('lists a token also when only the reply was lost', async () => {
    await page.goto(`${stack.url}/settings/integrations/openai-clients`)
    const form = page.getByRole('form', { name: 'New token' })
    await form.getByLabel('Name').fill('Lost on the way')
    const isMaking = (url: URL) => url.pathname.endsWith('/integration-settings/tokens')
    await page.route(isMaking, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await page.getByRole('button', { name: 'Revoke Lost on the way' }).waitFor()
    await page.unroute(isMaking)
    // What the browser itself notes.
    browser.complaints()
  })

  it('says which token is for MCP clients', async () => {
    const name = 'Lost on the way'
    await withDatabase(stack, (sql) => sql`update askback.api_tokens set scope = 'mcp' where name = ${name}`)
    await page.goto(`${stack.url}/settings/integrations/openai-clients`)
    const row = page.getByRole('region', { name: 'Tokens' }).getByRole('listitem').filter({ hasText: name })
    await row.getByText(/^for MCP clients · All agents/).waitFor()
  })

  it('leaves the keyboard where a form was sent that was refused', async () => {
    await page.goto(`${stack.url}/settings/account`)
    const form = page.getByRole('form', { name: 'Password' })
    await form.getByLabel('Current password').fill('not the password')
    await form.getByLabel('New password').fill('another password')
    await form.getByRole('button', { name: 'Change password' }).press('Enter')
    await form.getByText('The current password is wrong.').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Change password')
    const leaving = page.getByRole('form', { name: 'Delete account' })
    await leaving.getByLabel(/^Type/).fill('bob@example.com')
    await leaving.getByRole('button').press('Enter')
    await leaving.getByText('is not the address of this account').waitFor()
    await expect.poll(focused).toBe('Delete my account')
  })

  it('says beforehand that signing in with Google is not set up, and what to do', async () => {
    await page.goto(`${stack.url}/settings/integrations`)
    const gmail = page.getByRole('region', { name: 'Gmail' })
    await gmail.getByText('Not set up here').waitFor()
    await gmail.getByText(/start Askback with ASKBACK_SIMULATE=google/).waitFor()
    await gmail.getByRole('button', { name: 'Connect' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/Signing in with Google isn’t set up here/).waitFor()
    expect(new URL(page.url()).origin).toBe(stack.url)
    const serper = page.getByRole('region', { name: 'Serper' })
    await serper.getByText(/start Askback with ASKBACK_SIMULATE=search/).waitFor()
    await serper.getByRole('button', { name: 'Connect' }).click()
    await serper.getByRole('link', { name: /^Get a key/ }).waitFor()
  })

  it('has a new account connected to the local inbox, and leads to the mail server where it is not known', async () => {
    const smtp = page.getByRole('region', { name: 'SMTP' })
    await smtp.getByRole('article', { name: email }).getByText('Works').waitFor()
    await smtp.getByRole('button', { name: 'Connect another' }).click()
    const form = smtp.getByRole('form', { name: 'Connect SMTP' })
    await form.getByLabel('User name').fill('kim@example.com')
    await form.getByLabel('Password').fill('any')
    const host = form.getByLabel('Mail server')
    expect(await host.getAttribute('aria-required')).toBe('false')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form
      .getByText(
        'The mail server for "kim@example.com" is not known, so enter its name, such as smtp.example.com.',
      )
      .waitFor()
    await form.getByText('Mail server is required.').waitFor()
    await expect.poll(() => host.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await host.getAttribute('aria-required')).toBe('true')
    expect(await form.getByText('Mail server').first().textContent()).not.toContain('optional')
    // The browser itself notes the refused request.
    browser.complaints()
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  it('shows a mail as it looks, as text, and with its headers', async () => {
    await stack.inbox.clear()
    await openTransport(stack).sendMail({
      from: 'Ada <ada@example.com>',
      to: 'grace@example.com',
      bcc: 'secret@example.com',
      replyTo: 'reply@example.com',
      subject: 'Greetings',
      text: 'Hello in plain words',
      html: '<h1 style="color: rgb(1, 2, 3)">Hello in colour</h1>',
      attachments: [{ filename: 'notes.txt', content: 'some notes' }],
    })
    await page.goto(stack.url)
    await page.getByRole('link', { name: 'Inbox' }).press('Enter')
    expect(new URL(page.url()).pathname).toBe('/inbox')
    const line = page.getByRole('button', { name: /Greetings/ })
    await line.focus()
    // What lies outside of the list is cut off.
    const isRingWhole = await line.evaluate((one) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(one)
      const ring = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      const [own, around] = [one, one.closest('.mails') ?? one].map((each) => each.getBoundingClientRect())
      return own && around && own.left - ring >= around.left && own.top - ring >= around.top
    })
    expect(isRingWhole).toBe(true)
    await line.click()
    const mail = page.getByRole('article', { name: 'Greetings' })
    for (const words of ['secret@example.com', 'reply@example.com', 'notes.txt (10 bytes)']) {
      await mail.getByText(words).first().waitFor()
    }
    await mail.getByText('Hello in plain words').waitFor()
    const look = page.frameLocator('iframe[title="Email preview"]')
    const colour = await look.getByRole('heading').evaluate((heading) => getComputedStyle(heading).color)
    expect(colour).toBe('rgb(1, 2, 3)')
    await mail.getByText('All headers').click()
    await mail.getByText('From: Ada <ada@example.com>').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('runs nothing of a hostile mail, and loads nothing for it', async () => {
    await stack.inbox.clear()
    const reached: string[] = []
    await page.context().route(/evil\.example/, (route) => {
      reached.push(route.request().url())
      return route.abort()
    })
    const alarms: string[] = []
    page.on('dialog', (dialog) => {
      alarms.push(dialog.message())
      void dialog.dismiss()
    })
    await openTransport(stack).sendMail({
      from: '"<b>Ada</b>" <ada@example.com>',
      to: 'grace@example.com',
      subject: '<img src=x onerror=alert(1)>',
      text: '<script>alert(2)</script>',
      html: [
        '<p>Dear customer</p><script>alert(3); parent.document.title = "taken"</script>',
        '<img src="https://evil.example/pixel.png"><img src=x onerror="alert(4)">',
        '<link rel="stylesheet" href="https://evil.example/a.css"><iframe src="https://evil.example/"></iframe>',
        '<meta http-equiv="refresh" content="0; url=https://evil.example/"><a href="javascript:alert(5)">Click</a>',
        '<form action="https://evil.example/"><button>Win</button></form><base href="https://evil.example/">',
      ].join(''),
    })
    await page.goto(`${stack.url}/inbox`)
    // The subject is words, in the list and in the mail.
    await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).click()
    const mail = page.getByRole('article', { name: '<img src=x onerror=alert(1)>' })
    await mail.getByText('<script>alert(2)</script>').waitFor()
    const time = page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).locator('time')
    expect(await time.textContent()).toMatch(/^\D*\d+\D+\d{4}, \d+:\d\d$/)
    expect(await page.getByText(/stack/i).count()).toBe(0)
    const look = page.frameLocator('iframe[title="Email preview"]')
    await look.getByText('Dear customer').waitFor()
    expect(await mail.locator('iframe').getAttribute('sandbox')).toBe('')
    await look.getByText('Click').click()
    await look.getByText('Win').click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect([reached, alarms, await page.title()]).toEqual([[], [], 'Test inbox · Askback'])
    expect(browser.complaints()).toEqual([])
    await page.getByRole('button', { name: 'Empty the inbox' }).click()
    await page.getByText('No emails yet.').waitFor()
  })

  it('deletes an account with everything of it, and its open tabs notice', async () => {
    const supabase = createClient(stack.url, stack.keys.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
    const { data } = await supabase.auth.signInWithPassword({ email, password })
    const { error } = await supabase.functions.invoke('chat', { body: { message: 'Hello' } })
    expect(error).toBeNull()
    const elsewhere = await browser.open(`${stack.url}/insights`)
    await signInAgain(elsewhere, password)
    await elsewhere.getByRole('heading', { name: 'Insights' }).waitFor()

    await page.goto(`${stack.url}/settings/account`)
    const form = page.getByRole('form', { name: 'Delete account' })
    await form.getByRole('button', { name: 'Delete my account' }).click()
    await form.getByText('Type your account’s email address to confirm.').waitFor()
    await form.getByRole('textbox').fill('grace@example.com')
    await form.getByRole('button', { name: 'Delete my account' }).click()
    await form.getByText('"grace@example.com" is not the address of this account.').waitFor()
    await form.getByRole('textbox').fill(email)
    await form.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('Your account and everything in it have been deleted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')

    const userId = data.user?.id ?? ''
    const left = await withDatabase(
      stack,
      (sql) => sql`
        select 1 from auth.users where id = ${userId}
        union all select 1 from askback.conversations where user_id = ${userId}
        union all select 1 from askback.agents where user_id = ${userId}`,
    )
    expect(left).toHaveLength(0)
    // A token that outlives its account opens nothing, and brings nobody back.
    const token = data.session?.access_token ?? ''
    const requests: [method: string, path: string, body?: unknown][] = [
      ['POST', 'chat', { message: 'Hello?' }],
      ['GET', 'chat/conversations'],
      ['GET', 'chat/conversations/one'],
      ['GET', 'chat/one/stream'],
      ['POST', 'chat/one/stop'],
      ['POST', 'chat/one/resume', {}],
      ['GET', 'chat/v1/models'],
      [
        'POST',
        'chat/v1/chat/completions',
        { model: userId, messages: [{ role: 'user', content: 'Hello?' }] },
      ],
      ['GET', 'integration-settings'],
      ['POST', 'docs-api', { action: 'create_document', params: { title: 'Late' } }],
      ['POST', 'docs-api', { action: 'search', params: { query: 'Late' } }],
      [
        'POST',
        'smtp-api',
        { action: 'send_email', params: { to: ['a@example.com'], subject: 'a', body: 'b' } },
      ],
      ['POST', 'web-search-api', { action: 'scrape_and_summarize', params: { urls: [stack.url] } }],
    ]
    for (const [method, path, body] of requests) {
      const response = await fetch(`${stack.url}/functions/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const said = await response.json()
      expect([path, response.status, said.error?.message]).toEqual([
        path,
        401,
        'This account no longer exists. Sign in again.',
      ])
    }
    await elsewhere.getByRole('link', { name: 'Integrations' }).click()
    await elsewhere.getByText('You were signed out. Sign in again to continue.').waitFor()
    await signInAgain(elsewhere, password)
    await elsewhere.getByText('Email or password is wrong.').waitFor()
  })

  it('lets the demo account go too, and says how it comes back', async () => {
    await press('Try the demo')
    await start()
    await page.getByRole('link', { name: /^Account / }).click()
    const form = page.getByRole('form', { name: 'Delete account' })
    await form.getByRole('textbox').fill(stack.demoUser.email)
    await form.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('The demo account comes back when Askback restarts.').waitFor()
    await press('Try the demo')
    await page.getByText('The demo account was deleted. Restart Askback to get a new one.').waitFor()
  })
})
