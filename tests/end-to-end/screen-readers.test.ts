import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo, startBrowser, type TestBrowser } from '../support/browser.ts'
import { conversation, write } from '../support/chat-page.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { setMailApproval, signInDemo } from '../support/chat-user.ts'
import { callTool, say } from '../support/model-reply.ts'
import { type Site, startSite } from '../support/search-server.ts'

// What is said of a page to somebody who doesn't see it, and where the keyboard goes on.

let chat: ChatStack
let browser: TestBrowser
/** A search provider. */
let site: Site

const mail = { to: ['ada@example.com'], subject: 'Picnic', body: 'Come along.' }

/** The names of all buttons, as the browser tells them a screen reader. */
async function buttonNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.filter(({ role }) => role?.value === 'button').map(({ name }) => String(name?.value))
}

describe.skipIf(!chromiumPath)('with a screen reader', () => {
  beforeAll(async () => {
    site = await startSite()
    chat = await startChatStack({ SERPER_API_BASE_URL: site.url })
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
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await chat?.stop()
    await site?.[Symbol.asyncDispose]()
  })
  afterEach(() => expect(browser.complaints()).toEqual([]))

  it('a call is said in words of their own: what it is, and what came of it', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await write(page, 'Invite ada@example.com')
    await conversation(page).getByText('That is all.').waitFor()
    const names = async () => (await buttonNames(page)).filter((name) => name.includes('Picnic'))
    await expect.poll(names).toEqual([expect.stringMatching(/^Send email Sent "Picnic" to "ada@example.com"/)])
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
})
