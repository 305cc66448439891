import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, resize, type TestBrowser } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { gate } from '../../support/gate.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { storeConversations } from '../../support/stored-conversations.ts'
import { useBrowser } from '../../support/use-browser.ts'

// After each step the next one is in sight, and the keyboard is at it.

const phone = { width: 360, height: 740, touch: true }
const beginning = 'Your mail server answers.'
const answerOf = (lines: number) =>
  [beginning, ...Array.from({ length: lines }, (_, at) => `Line ${at} of what it said.`)].join('\n\n')

const [browser, chat] = useBrowser(() => startChatStack({ ASKBACK_SIMULATE: 'search' }))
/** What the answer to a search waits for. */
let held = gate()
let lines = 40

const back = (page: Page) => page.getByRole('link', { name: 'Back to the chat' })
const smtp = (page: Page) => page.getByRole('region', { name: 'SMTP' })
const isFocused = (what: Locator) => what.evaluate((one) => one === document.activeElement)
const heightOf = (what: Locator) => what.evaluate(({ clientHeight }) => clientHeight)
/** Whether it is seen, from its beginning to its end: nothing lies over it, and no edge cuts it off. */
const isSeen = (what: Locator) =>
  what.evaluate((one) => {
    const { left, top, width, bottom } = one.getBoundingClientRect()
    return [top + 4, (top + bottom) / 2, bottom - 4].every((y) => {
      const at = document.elementFromPoint(left + width / 2, y)
      return one.contains(at)
    })
  })

/** Somebody new, who has no connection yet. */
async function join(options: Parameters<TestBrowser['open']>[1] = {}): Promise<Page> {
  const page = await browser.open(chat.stack.url, options)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return page
}

/** The settings, in the tab that the card of a chat opens. */
async function followCard(page: Page, message = 'Does my mail server answer?'): Promise<Page> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const card = page.getByRole('group', { name: 'Connection needed' })
  const opened = page.context().waitForEvent('page')
  await card.getByRole('link', { name: /^Connect/ }).click()
  const settings = await opened
  await settings.getByRole('form').waitFor()
  return settings
}

async function connect(page: Page) {
  const { host, port, user, password } = chat.stack.smtp
  const form = smtp(page).getByRole('form')
  await form.getByLabel(/mail server/i).fill(host)
  await form.getByLabel(/port/i).fill(String(port))
  await form.getByLabel(/user/i).fill(user)
  await form.getByLabel(/password/i).fill(password)
  await form.getByLabel(/sender/i).fill('ada@example.com')
  await form.getByRole('button', { name: 'Connect' }).press('Enter')
  await smtp(page).getByRole('article').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).waitFor()
}

describe.skipIf(!chromiumPath)('the next step', () => {
  beforeAll(async () => {
    chat.model.use(async ({ body }) => {
      const isSearch = JSON.stringify(body.messages).includes('sailing')
      if (body.messages.at(-1)?.role !== 'tool')
        return isSearch ? callTool('web_search', { query: 'sailing' }) : callTool('smtp_test_connection', {})
      if (isSearch) await held.opened
      return say(answerOf(isSearch ? lines : 40))
    })
    await storeConversations(chat.stack, 20)
  })

  for (const [device, options] of [
    ['with a keyboard', {}],
    ['on a phone', phone],
  ] as const)
    it(`is the way back to the chat once what it asked for is connected, and then the answer, ${device}`, async () => {
      const page = await join(options)
      const settings = await followCard(page)
      // Also for whoever has no account to connect.
      await smtp(settings).getByRole('button', { name: 'Cancel' }).press('Enter')
      await expect.poll(() => isSeen(back(settings))).toBe(true)
      await smtp(settings).getByRole('button', { name: 'Connect' }).press('Enter')
      await connect(settings)
      await expect.poll(() => isFocused(back(settings))).toBe(true)
      await expect.poll(() => isSeen(back(settings))).toBe(true)
      expect(await findBarriers(settings)).toEqual([])
      // It is written meanwhile.
      await page.getByText('Line 39 of').waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await back(settings).press('Enter')
      const first = settings.getByText(beginning)
      await first.waitFor()
      await settings.waitForLoadState('networkidle')
      await expect.poll(() => isSeen(first)).toBe(true)
      if (device === 'with a keyboard')
        await expect.poll(() => isFocused(settings.getByRole('textbox', { name: 'Message' }))).toBe(true)
      // All of it is there by now, and has moved nothing.
      await settings.getByText('Line 39 of').waitFor()
      await settings.waitForLoadState('networkidle')
      expect(await isSeen(first)).toBe(true)
    })

  for (const [device, options] of [
    ['with a keyboard', {}],
    ['on a phone', phone],
  ] as const)
    it(`is the answer, also if it comes once its user is back, and only its sources do not fit, ${device}`, async () => {
      held = gate()
      const page = await join(options)
      const settings = await followCard(page, 'Search the web for sailing')
      await settings.getByLabel(/key/i).fill('test')
      await settings.getByRole('form').getByRole('button', { name: 'Connect' }).press('Enter')
      await expect.poll(() => isFocused(back(settings))).toBe(true)
      await back(settings).press('Enter')
      await settings.getByRole('button', { name: 'Stop' }).waitFor()
      // The text fits, with the room that a tall answer leaves.
      const log = await heightOf(settings.locator('.askback-chat-scroll > *'))
      lines = Math.floor(log / 40) - 3
      held.open()
      // A paragraph of its own: it is measured only once it is rendered.
      await settings.getByText(`Line ${lines - 1} of what it said.`, { exact: true }).waitFor()
      await settings.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await expect.poll(() => isSeen(settings.getByText(beginning))).toBe(true)
      const text = await heightOf(settings.locator('.askback-text').last())
      expect(text).toBeLessThan(log - 64)
      expect(text + (await heightOf(settings.locator('.askback-sources')))).toBeGreaterThan(log - 64)
      if (device === 'with a keyboard')
        await expect.poll(() => isFocused(settings.getByRole('textbox', { name: 'Message' }))).toBe(true)
    })

  for (const [device, options] of [
    ['with a keyboard', {}],
    ['on a phone', phone],
  ] as const)
    it(`is the account that was connected where no chat asked for it, ${device}`, async () => {
      const page = await join(options)
      await page.goto(`${chat.stack.url}/settings/integrations`)
      await smtp(page).getByRole('button', { name: 'Connect' }).press('Enter')
      await expect.poll(() => isFocused(smtp(page).getByLabel(/mail server/i))).toBe(true)
      await connect(page)
      const account = smtp(page).getByRole('article')
      await expect.poll(() => isFocused(account)).toBe(true)
      await expect.poll(() => isSeen(account)).toBe(true)
    })

  it('opens one page also for a double tap', async () => {
    const page = await join(phone)
    await page.getByRole('textbox', { name: 'Message' }).fill('Does my mail server answer?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const link = page.getByRole('link', { name: /^Connect/ })
    await link.waitFor()
    // In one go: the page that opens first may take the second tap.
    await link.evaluate((one) => {
      const place = { bubbles: true, cancelable: true, detail: 1, clientX: 100, clientY: 600 }
      one.dispatchEvent(new MouseEvent('click', place))
      one.dispatchEvent(new MouseEvent('click', place))
    })
    await expect.poll(() => page.context().pages().length).toBe(2)
    await page.context().pages()[1]?.getByRole('form').waitFor()
    expect(page.context().pages()).toHaveLength(2)
  })

  it('is the beginning of an answer that came while nobody saw its page', async () => {
    const page = await join()
    const settings = await followCard(page)
    const see = (isHidden: boolean) =>
      page.evaluate((isHidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    await see(true)
    await connect(settings)
    await settings.close()
    await page.getByText('Line 39 of').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await see(false)
    await expect.poll(() => isSeen(page.getByText(beginning))).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(await isSeen(page.getByText(beginning))).toBe(true)
  })

  it('is covered by no note on a phone', async () => {
    const page = await join(phone)
    await page.goto(`${chat.stack.url}/settings/integrations`)
    await smtp(page).getByRole('button', { name: 'Connect' }).press('Enter')
    await connect(page)
    for (const seen of [
      page.getByRole('button', { name: 'Menu', exact: true }),
      page.getByRole('link', { name: 'Waiting for you' }),
      page.getByRole('button', { name: 'New chat' }),
      smtp(page).getByRole('heading'),
    ])
      await expect.poll(async () => [String(seen), await isSeen(seen)]).toEqual([String(seen), true])
  })

  it('is what a search in the menu of a phone finds, above its keyboard', async () => {
    const page = await browser.open(chat.stack.url, phone)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await drawer.getByRole('searchbox').click()
    await resize(page, { width: 360, height: 440 })
    await page.keyboard.type('number')
    const found = drawer.getByRole('link', { name: /Talk number/ })
    // Without a search, they are listed, too.
    await found.locator('mark').nth(2).waitFor()
    for (const at of [0, 1, 2]) expect([at, await isSeen(found.nth(at))]).toEqual([at, true])
    expect(await findBarriers(page)).toEqual([])
  })
})
