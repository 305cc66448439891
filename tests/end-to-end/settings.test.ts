import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, startBrowser, type TestBrowser } from '../support/browser.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { demoScript } from '../support/demo-script.ts'
import { type GoogleOAuthServer, googleClient, startGoogleOAuth } from '../support/google-oauth-server.ts'

let chat: ChatStack
let google: GoogleOAuthServer
let browser: TestBrowser
let page: Page

describe.skipIf(!chromiumPath)('accounts and connections in a browser', () => {
  beforeAll(async () => {
    google = await startGoogleOAuth()
    chat = await startChatStack({
      GOOGLE_CLIENT_ID: googleClient.clientId,
      GOOGLE_CLIENT_SECRET: googleClient.clientSecret,
      GOOGLE_OAUTH_BASE_URL: google.url,
    })
    chat.model.use(demoScript({}))
    browser = await startBrowser()
    page = await browser.open(chat.stack.url)
  })
  afterAll(async () => {
    await browser?.close()
    await chat?.stop()
    await google?.close()
  })
  afterEach(async () => {
    expect(browser.complaints()).toEqual([])
  })

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
    const opened = page.context().waitForEvent('page')
    await card.getByRole('link', { name: /^Connect/ }).click()
    const settings = await opened
    const smtp = settings.getByRole('region', { name: 'SMTP' })
    await smtp
      .getByLabel(/host|server/i)
      .first()
      .fill(host)
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
    await settings.close()
    // A new user's agent asks before it writes to others.
    await page
      .getByRole('group', { name: 'Approval needed' })
      .getByRole('button', { name: 'Approve' })
      .click()
    await page.getByText(/I sent the e-mail “Meeting” to grace@example.com/).waitFor()
    expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['grace@example.com']])
  })

  it('connects by signing in at the provider, and disconnects', async () => {
    await page.getByRole('link', { name: 'Integrations' }).click()
    const gmail = page.getByRole('region', { name: 'Gmail' })
    await gmail.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await gmail.getByText('ada@gmail.test').first().waitFor()
    expect(new URL(page.url()).search).toBe('?provider=gmail')
    expect(await findBarriers(page)).toEqual([])
    await gmail.getByRole('button', { name: 'Disconnect' }).click()
    await gmail.getByText('ada@gmail.test').first().waitFor({ state: 'detached' })
    await gmail.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('You did not allow it, so nothing was connected.').waitFor()
  })
})
