import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo, startBrowser, type TestBrowser } from '../support/browser.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../support/chat-user.ts'
import { callTools, say } from '../support/model-reply.ts'

// Several things that wait together: what is decided leaves everything else where it is.

let chat: ChatStack
let browser: TestBrowser
let page: Page

const mailTo = (name: string) =>
  ['smtp_send_email', { to: [`${name}@example.com`], subject: 'Party', body: `Dear ${name}!` }] as const
const everybody = 'Invite ada@example.com, bob@example.com, cleo@example.com'

const cards = (on: Page) => on.getByRole('group', { name: 'Approval needed' })
const cardFor = (name: string, on: Page) => cards(on).filter({ hasText: `${name}@example.com` })

describe.skipIf(!chromiumPath)('what waits together', () => {
  beforeAll(async () => {
    chat = await startChatStack()
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      if (last?.role === 'tool') return say('That is done.')
      const names = JSON.stringify(last?.content).matchAll(/(\w+)@example\.com/g)
      return callTools([...names].map(([, name]) => mailTo(`${name}`)))
    })
    browser = await startBrowser()
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  afterAll(async () => {
    await browser?.close()
    await chat?.stop()
  })
  beforeEach(async () => {
    await page.goto('about:blank')
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await page.goto(chat.stack.url)
    await write(everybody)
    await cards(page).nth(2).waitFor()
  })
  afterEach(async () => {
    for (const tab of page.context().pages()) if (tab !== page) await tab.close()
    expect(browser.complaints()).toEqual([])
  })

  async function write(text: string) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  /** A phone of its user, at what waits. */
  async function openPhone() {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true })
    await phone.locator('.door button.primary').first().click()
    await phone.getByRole('textbox', { name: 'Message' }).waitFor()
    await phone.goto(`${chat.stack.url}/waiting`)
    await cards(phone).nth(2).waitFor()
    return phone
  }

  /** Taps where something is, without scrolling to it, once it takes a tap. */
  async function tap(place: Locator) {
    await expect.poll(() => place.evaluate((one) => getComputedStyle(one).pointerEvents)).toBe('auto')
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
    await place.page().touchscreen.tap(x + width / 2, y + height / 2)
  }

  it('stays where it is when one card becomes a receipt, wherever that card was', async () => {
    const phone = await openPhone()
    /** Where a card and the next one begin, or the edge of the page beyond which they are. */
    const places = (index: number) =>
      phone.locator('main').evaluate((page, index) => {
        const edges = page.getBoundingClientRect()
        return [...page.querySelectorAll('[data-item]')]
          .slice(index, index + 2)
          .map((one) => one.getBoundingClientRect().top)
          .map((top) => Math.round(Math.min(edges.bottom, Math.max(edges.top, top))))
      }, index)
    const decided: [number, string, number, string][] = [
      [1, 'bob', 207, 'Send email'],
      [0, 'ada', -90, 'Deny'],
      [2, 'cleo', 120, 'Send email'],
    ]
    for (const [index, name, top, button] of decided) {
      await cardFor(name, phone).evaluate((card, top) => {
        const page = card.closest('main')
        if (page) page.scrollTop += card.getBoundingClientRect().top - page.getBoundingClientRect().top - top
      }, top)
      const before = await places(index)
      await tap(cardFor(name, phone).getByRole('button', { name: button, exact: true }))
      await cardFor(name, phone).waitFor({ state: 'detached' })
      expect([name, ...(await places(index))]).toEqual([name, ...before])
    }
    await phone.context().close()
  })
})
