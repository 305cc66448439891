import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo } from '../../support/browser.ts'
import { conversation, messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { type Site, startSite } from '../../support/search-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What is said of a page to somebody who doesn't see it, and where the keyboard goes on.

/** A search provider. */
let site: Site
const [browser, chat] = useBrowser(async () => {
  site = await startSite()
  return startChatStack({ SERPER_API_BASE_URL: site.url })
})

const mail = { to: ['ada@example.com'], subject: 'Picnic', body: 'Come along.' }

/** Whether the keyboard goes on there. */
const isFocused = (place: Locator) => place.evaluate((one) => one === document.activeElement)

/** What the browser tells a screen reader of an element besides its name. */
async function descriptionOf(place: Locator): Promise<string> {
  const session = await place.page().context().newCDPSession(place.page())
  await place.evaluate((one) => Object.assign(window, { asked: one }))
  const { result } = await session.send('Runtime.evaluate', { expression: 'asked' })
  const asked = { objectId: result.objectId ?? '', fetchRelatives: false }
  const { nodes } = await session.send('Accessibility.getPartialAXTree', asked)
  await session.detach()
  return String(nodes[0]?.description?.value ?? '')
}

/** The names of all buttons, as the browser tells them a screen reader. */
async function buttonNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.filter(({ role }) => role?.value === 'button').map(({ name }) => String(name?.value))
}

describe.skipIf(!chromiumPath)('with a screen reader', () => {
  beforeAll(async () => {
    await setMailApproval(chat.stack, 'never')
    const { token } = await signInDemo(chat.stack)
    site.pages.set('/search', { body: '{"organic":[]}', type: 'application/json' })
    const connected = await fetch(`${chat.stack.url}/functions/v1/integration-settings/connections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ provider: 'serper', values: { api_key: 'good-key' } }),
    })
    expect(connected.status).toBe(201)
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool') return say('That is all.')
      if (said.includes('Invite ada')) return callTool('smtp_send_email', mail)
      if (said.includes('Search')) return callTool('web_search', { query: 'harbour' })
      return say('Here I am.')
    })
  })
  afterAll(() => site?.[Symbol.asyncDispose]())

  it('a call is said in words of their own: what it is, and what came of it', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Invite ada@example.com')
    await conversation(page).getByText('That is all.').waitFor()
    const names = async () => (await buttonNames(page)).filter((name) => name.includes('Picnic'))
    await expect
      .poll(names)
      .toEqual([expect.stringMatching(/^Send email Sent "Picnic" to "ada@example.com"/)])
  })

  it('a call that failed says so, also after a reload, and while it is tried again, how long that takes', async () => {
    site.pages.set('/search', { body: '{}', status: 429, headers: { 'retry-after': '4' } })
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Search the harbour')
    const names = async () =>
      (await buttonNames(page)).filter((name) => name.startsWith('Search the web')).join()
    await expect.poll(names).toMatch(/^Search the web .* Trying again in \d+ s/)
    site.pages.set('/search', { body: '{}', status: 500 })
    await conversation(page).getByText('That is all.').waitFor()
    await expect.poll(names).toMatch(/^Search the web The service behind "Serper" is not available right now/)
    await page.reload()
    await expect.poll(names).toMatch(/^Search the web The service behind "Serper" is not available right now/)
  })

  it('says what becomes of a file, and goes on at the message after one was removed', async () => {
    const page = await openDemo(browser, chat.stack.url)
    const composer = page.locator('.askback-composer')
    // It was there before, empty: what is inserted together with its words may not be said.
    const status = composer.getByRole('status')
    expect(await status.evaluate((one) => one.textContent)).toBe('')
    await status.evaluate((one) => {
      const heard: string[] = []
      Object.assign(window, { heard })
      new MutationObserver(() => heard.push(one.textContent ?? '')).observe(one, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    const files = ['note.txt', 'plan.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from('Hello.'),
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    await composer.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
    const heard = () => page.evaluate(() => (window as never as { heard: string[] }).heard.join(' | '))
    await expect
      .poll(heard)
      .toBe('Uploading “note.txt” … | Uploading “plan.txt” … | Attached: note.txt and plan.txt')
    await composer.getByRole('button', { name: 'Remove note.txt' }).press('Enter')
    await expect.poll(heard).toMatch(/ \| Removed: note\.txt$/)
    expect(await isFocused(messageBox(page))).toBe(true)
    expect(await findBarriers(page)).toEqual([])
  })

  it('says of the message box that an earlier message is edited, and what that replaces', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Hello')
    await conversation(page).getByText('Here I am.').waitFor()
    await page.getByRole('button', { name: 'Edit message' }).press('Enter')
    await expect.poll(() => isFocused(messageBox(page))).toBe(true)
    await expect
      .poll(() => descriptionOf(messageBox(page)))
      .toBe('You’re editing an earlier message. Everything after it will be replaced.')
  })

  it('goes on at the button after a sign-in that failed, and says which field is wrong', async () => {
    const page = await browser.open(chat.stack.url)
    const form = page.locator('.door form')
    const button = form.getByRole('button', { name: 'Sign in' })
    const [email, password] = [form.getByLabel('Email'), form.getByLabel('Password')]
    await email.fill('ada')
    await button.press('Enter')
    const alert = form.getByRole('alert')
    await alert.getByText('isn’t a complete email address').waitFor()
    const isInvalid = (field: Locator) => field.getAttribute('aria-invalid')
    expect([await isInvalid(email), await isInvalid(password)]).toEqual(['true', 'false'])
    expect(await descriptionOf(email)).toBe(await alert.innerText())
    await email.fill('ada@example.com')
    await button.press('Enter')
    await alert.getByText('Enter your password.').waitFor()
    expect([await isInvalid(email), await isInvalid(password)]).toEqual(['false', 'true'])
    expect(await descriptionOf(password)).toBe('Enter your password.')
    await password.fill('wrong horse battery')
    await button.press('Enter')
    await alert.getByText('Email or password is wrong.').waitFor()
    // Which of the two it is, nobody knows.
    expect([await isInvalid(email), await isInvalid(password)]).toEqual(['false', 'false'])
    await expect.poll(() => isFocused(button)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    // The browser itself notes the refused request.
    expect(browser.complaints().filter(({ status }) => status !== 400)).toEqual([])
  })

  it('begins at the heading after signing out', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Askback' }))).toBe(true)
  })

  it('goes on at the name of an agent that was made', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('button', { name: 'New agent' }).press('Enter')
    const name = page.getByRole('form', { name: 'Agent' }).getByLabel('Name')
    await expect.poll(() => isFocused(name)).toBe(true)
    expect(await name.inputValue()).toBe('New agent')
  })

  it('leads a key into the form that it opens, and says whether it is open', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await page.goto(`${chat.stack.url}/settings/integrations`)
    const smtp = page.getByRole('region', { name: 'SMTP' })
    const change = smtp.getByRole('button', { name: 'Change' })
    await change.waitFor()
    expect(await change.getAttribute('aria-expanded')).toBe('false')
    await change.press('Enter')
    expect(await change.getAttribute('aria-expanded')).toBe('true')
    const form = smtp.getByRole('form', { name: 'Change SMTP' })
    await expect.poll(() => isFocused(form.getByRole('textbox').first())).toBe(true)
    await change.press('Enter')
    await form.waitFor({ state: 'detached' })
  })

  it('names what is beside a page and what scrolls, and skips to the heading', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Hello, who is there?')
    await conversation(page).getByText('Here I am.').waitFor()
    const beside = page.getByRole('complementary', { name: 'Menu' })
    await beside.waitFor()
    for (const path of ['insights', 'inbox']) {
      await page.goto(`${chat.stack.url}/${path}`)
      await page.getByRole('main', { name: new RegExp(path, 'i') }).waitFor()
    }
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await isFocused(page.getByRole('heading', { name: 'Inbox', level: 1 }))).toBe(true)
  })

  it('opens the menu of a conversation with a key at its first item', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Hello, what can I choose?')
    await conversation(page).getByText('Here I am.').waitFor()
    const options = page
      .getByRole('listitem')
      .filter({ hasText: 'Hello, what can I choose?' })
      .getByRole('button', { name: 'Options' })
    await options.press('Enter')
    const menu = page.getByRole('menu', { name: 'Options' })
    await expect.poll(() => isFocused(menu.getByRole('menuitem').first())).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => isFocused(menu.getByRole('menuitem', { name: 'Rename' }))).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(options)).toBe(true)
  })

  it('says that something could not be copied', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Hello')
    await conversation(page).getByText('Here I am.').waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.'))
    })
    await page.getByRole('button', { name: 'Copy' }).last().click()
    await page.getByText('Couldn’t copy this. Select the text and copy it yourself.').waitFor()
  })
})
