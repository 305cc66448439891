import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, startBrowser, type TestBrowser } from '../support/browser.ts'
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

const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
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
  async function openPhone(locale = 'en') {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true, locale })
    await phone.locator('.door button.primary').first().click()
    await phone.locator('textarea').waitFor()
    await phone.goto(`${chat.stack.url}/waiting`)
    await phone.getByRole('checkbox').nth(2).waitFor()
    // It has come to rest.
    await expect.poll(() => phone.evaluate(() => document.getAnimations().length)).toBe(0)
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
    await expect.poll(recipients).toEqual(['bob@example.com', 'cleo@example.com'])
    await phone.context().close()
  })
  it('says in its row what was decided, without a box, and as high as it was', async () => {
    const phone = await openPhone()
    const several = phone.getByRole('group', { name: '3 approvals' })
    const rows = phone.locator('.askback-several li')
    const heights = () => rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    const before = await heights()
    for (const name of ['ada', 'cleo']) await several.getByRole('checkbox', { name }).uncheck()
    await several.getByRole('button', { name: 'Deny 1' }).tap()
    const question = (name: string) => `Send "Party" to "${name}@example.com"?`
    await phone
      .getByRole('listitem')
      .getByText(`You denied this · ${question('bob')}`)
      .waitFor()
    expect(await rows.getByRole('checkbox').count()).toBe(2)
    expect(await rows.nth(1).innerText()).toBe(`You denied this · ${question('bob')}`)
    expect(await heights()).toEqual(before)
    expect(await findBarriers(phone)).toEqual([])
    // Also where one is decided in its card.
    await cardFor('ada', phone).getByRole('button', { name: 'Send email' }).tap()
    await phone
      .getByRole('listitem')
      .getByText(`You approved · ${question('ada')}`)
      .waitFor()
    expect(await heights()).toEqual(before)
    await expect.poll(recipients).toEqual(['ada@example.com'])
    await phone.context().close()
  })

  it('keeps its rows where they are when one is left out, in German, too', async () => {
    for (const locale of ['en', 'de']) {
      const phone = await openPhone(locale)
      const box = phone.getByRole('checkbox').last()
      const place = await box.boundingBox()
      await box.uncheck()
      expect([locale, await box.boundingBox()]).toEqual([locale, place])
      await box.check()
      await phone.context().close()
    }
  })

  it('keeps its buttons where they are when one more comes', async () => {
    const phone = await openPhone()
    for (const name of ['ada', 'bob']) await phone.getByRole('checkbox', { name }).uncheck()
    const approve = phone.getByRole('button', { name: 'Approve 1', exact: true })
    const place = await approve.boundingBox()
    await page.goto(chat.stack.url)
    await write('Invite dora@example.com')
    const newcomer = phone.getByRole('checkbox', { name: 'dora' })
    await newcomer.waitFor()
    expect(await approve.boundingBox()).toEqual(place)
    await tap(approve)
    await expect.poll(recipients).toEqual(['cleo@example.com'])
    expect(await newcomer.isChecked()).toBe(false)
    await phone.context().close()
  })
})
