import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, settled } from '../../support/browser.ts'
import { approvals, covered, isOnTop, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../../support/chat-user.ts'
import { callTools, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Several things that wait together: what is decided leaves everything else where it is.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const mailTo = (name: string) =>
  ['smtp_send_email', { to: [`${name}@example.com`], subject: 'Party', body: `Dear ${name}!` }] as const
const mailToNobody = ['smtp_send_email', { subject: 'Party', body: 'Dear all!' }] as const
const everybody = 'Invite ada@example.com, bob@example.com, cleo@example.com'

const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
const cards = (on: Page) => approvals(on)
const cardFor = (name: string, on: Page) => cards(on).filter({ hasText: `${name}@example.com` })

describe.skipIf(!chromiumPath)('what waits together', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:'))
        return say('That is done.')
      if (said.includes('Invite somebody')) return callTools([mailToNobody])
      return callTools([...said.matchAll(/(\w+)@example\.com/g)].map(([, name]) => mailTo(`${name}`)))
    })
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  beforeEach(async () => {
    await page.goto('about:blank')
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await page.goto(chat.stack.url)
    await write(page, everybody)
    await cards(page).nth(2).waitFor()
  })
  afterEach(async () => {
    for (const tab of page.context().pages()) if (tab !== page) await tab.close()
  })

  /** A phone of its user, at what waits. */
  async function openPhone(locale = 'en') {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true, locale })
    await phone.locator('.door button.primary').first().click()
    await phone.locator('textarea').waitFor()
    await phone.goto(`${chat.stack.url}/waiting`)
    await phone.getByRole('checkbox').nth(3).waitFor()
    await settled(phone)
    return phone
  }

  /** Holds the requests of a tab for an address until they are let go. */
  async function holdRequests(tab: Page, address: RegExp): Promise<() => void> {
    let letGo = () => {}
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await tab.route(address, async (route) => {
      await isLetGo
      await route.continue()
    })
    return letGo
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
      // Half a pixel may be rounded either way.
      const after = await places(index)
      expect([name, ...after.map((top, at) => Math.abs(top - (before[at] ?? 0)) <= 1)]).toEqual([
        name,
        ...before.map(() => true),
      ])
    }
    await expect.poll(recipients).toEqual(['bob@example.com', 'cleo@example.com'])
  })

  it('takes no more room than its line where a decided card was, once that is out of sight', async () => {
    const phone = await openPhone()
    await cardFor('ada', phone).getByRole('button', { name: 'Deny' }).tap()
    const room = phone.locator('.waiting-room').first()
    const height = () => room.evaluate((one) => one.getBoundingClientRect().height)
    await room.getByText('Not sent').waitFor()
    expect(await height()).toBeGreaterThan(200)
    const scroll = (top: number) => phone.locator('main').evaluate((main, top) => main.scrollBy(0, top), top)
    const place = () => cardFor('cleo', phone).evaluate((one) => one.getBoundingClientRect().top)
    await cardFor('cleo', phone).evaluate((one) => one.scrollIntoView({ block: 'start' }))
    const before = await place()
    await expect.poll(height).toBeLessThan(100)
    // What a page is scrolled by is rounded to pixels of the screen.
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1)
    await scroll(-2000)
    expect(await height()).toBeLessThan(100)
    expect(await findBarriers(phone)).toEqual([])
  })

  it('decides what is selected further down where it was selected, and covers none of it', async () => {
    const phone = await openPhone()
    await phone.setViewportSize({ width: 360, height: 400 })
    const several = phone.getByRole('group', { name: '3 approvals' })
    await several.getByRole('checkbox', { name: /cleo@example\.com/ }).check()
    const deny = several.getByRole('button', { name: 'Deny 1' })
    expect(await deny.evaluate(isOnTop)).toBe(true)
    expect(await covered(several)).toEqual([])
    await tap(deny)
    await cardFor('cleo', phone).waitFor({ state: 'detached' })
    expect(await cards(phone).count()).toBe(2)
  })

  it('does not deny by the second tap of a double tap on what opens the reason', async () => {
    const phone = await openPhone()
    const card = cardFor('bob', phone)
    const reason = card.locator('.askback-reason summary')
    await reason.scrollIntoViewIfNeeded()
    await tap(reason)
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await card.getByRole('button', { name: 'Deny' }).boundingBox()) ?? {}
    await phone.touchscreen.tap(x + width / 2, y + height / 2)
    await card.getByRole('textbox', { name: 'Reason for denying' }).fill('Too late')
    await page.goto(`${chat.stack.url}/waiting`)
    await expect.poll(() => cards(page).count()).toBe(3)
  })

  it('says in its row what was decided, without a box, and as high as it was', async () => {
    const phone = await openPhone()
    const several = phone.getByRole('group', { name: '3 approvals' })
    const rows = phone.locator('.askback-several li')
    const heights = () => rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    const before = await heights()
    await several.getByRole('checkbox', { name: 'bob' }).check()
    await several.getByRole('button', { name: 'Deny 1' }).tap()
    const denied = 'Not sent · Send "Party" to "bob@example.com"'
    await phone.getByRole('listitem').getByText(denied).waitFor()
    expect(await rows.getByRole('checkbox').count()).toBe(2)
    expect(await rows.nth(1).locator('> p').innerText()).toBe(denied)
    expect(await heights()).toEqual(before)
    expect(await findBarriers(phone)).toEqual([])
    // Also where one is decided in its card.
    await cardFor('ada', phone).getByRole('button', { name: 'Send email' }).tap()
    await phone.getByRole('listitem').getByText('You approved · Sent "Party" to "ada@example.com"').waitFor()
    expect(await heights()).toEqual(before)
    await expect.poll(recipients).toEqual(['ada@example.com'])
  })

  it('keeps its rows where they are when one is selected, in German, too', async () => {
    for (const locale of ['en', 'de']) {
      const phone = await openPhone(locale)
      const box = phone.getByRole('checkbox').last()
      const place = await box.boundingBox()
      await box.check()
      expect([locale, await box.boundingBox()]).toEqual([locale, place])
      await box.uncheck()
      await phone.context().close()
    }
  })

  it('keeps its buttons where they are when one more comes', async () => {
    const phone = await openPhone()
    await phone.getByRole('checkbox', { name: 'cleo' }).check()
    const approve = phone.getByRole('button', { name: 'Approve 1', exact: true })
    const place = await approve.boundingBox()
    await page.goto(chat.stack.url)
    await write(page, 'Invite dora@example.com')
    const newcomer = phone.getByRole('checkbox', { name: 'dora' })
    await newcomer.waitFor()
    expect(await approve.boundingBox()).toEqual(place)
    await tap(approve)
    await expect.poll(recipients).toEqual(['cleo@example.com'])
    expect(await newcomer.isChecked()).toBe(false)
  })

  it('keeps the place of what was decided elsewhere, and says what it was and how it was decided', async () => {
    await page.goto(`${chat.stack.url}/waiting`)
    await cards(page).nth(2).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${chat.stack.url}/waiting`)
    await cards(other).nth(2).waitFor()
    // The other tab has not heard of it.
    const letGo = await holdRequests(other, /\/chat\/open\?/)
    await cardFor('bob', page).getByRole('button', { name: 'Deny' }).click()
    await page
      .getByText(/^Not sent · /)
      .first()
      .waitFor()
    const several = other.getByRole('group', { name: '3 approvals' })
    await several.getByRole('checkbox', { name: 'Select all' }).check()
    await several.getByRole('button', { name: 'Approve all 3' }).click()
    const receipt = (name: string, on: Page) =>
      on.locator('.waiting-list .askback-receipt').filter({ hasText: `"${name}@example.com"` })
    const late = (name: string, how: string) =>
      new RegExp(`^Already ${how} · \\d\\d:\\d\\d · Send "Party" to "${name}@example.com"\\s*`)
    const read = (name: string, on: Page) => async () => (await receipt(name, on).allInnerTexts()).join()
    await expect.poll(read('bob', other)).toMatch(late('bob', 'decided'))
    await expect.poll(read('bob', other)).toContain('It was decided differently, or asked again.')
    letGo()
    await expect.poll(read('bob', other)).toMatch(new RegExp(`${late('bob', 'denied').source}$`))
    for (const name of ['ada', 'cleo'])
      await expect.poll(read(name, page)).toMatch(new RegExp(`${late(name, 'approved').source}$`))
    const names = page.locator('.waiting-list .askback-receipt').allInnerTexts()
    expect((await names).map((text) => /\w+(?=@)/.exec(text)?.[0])).toEqual(['ada', 'bob', 'cleo'])
    await page
      .getByRole('group', { name: 'All decided' })
      .getByText('Already approved · Send "Party" to "ada@example.com"', { exact: true })
      .waitFor()
    for (const tab of [page, other]) expect(await findBarriers(tab)).toEqual([])
    expect(browser.complaints().filter(({ status }) => status !== 409)).toEqual([])
    await expect.poll(recipients).toEqual(['ada@example.com', 'cleo@example.com'])
    await page.reload()
    await page.getByText('Nothing is waiting for you.').waitFor()
  })

  it('leaves no trace of what was asked anew or is gone with its chat', async () => {
    await page.goto(chat.stack.url)
    await write(page, 'Invite somebody')
    const field = page.getByRole('form').getByRole('textbox')
    await field.waitFor()
    const waiting = await page.context().newPage()
    await waiting.goto(`${chat.stack.url}/waiting`)
    await waiting.getByRole('form').waitFor()
    await field.fill('ada@example.com, bob@exa_mple.com')
    await approvals(page).getByRole('button', { name: 'Send email' }).click()
    await page.getByRole('form', { name: /is not a complete email address/ }).waitFor()
    // What waits is read again as soon as there is more of it.
    await page.goto(chat.stack.url)
    await write(page, 'Invite dora@example.com')
    await waiting.getByRole('form', { name: /is not a complete email address/ }).waitFor()
    expect(await waiting.locator('.askback-receipt').count()).toBe(0)
    await page.goto('about:blank')
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await waiting.getByText('Nothing is waiting for you.').waitFor()
    expect(await waiting.locator('.askback-receipt').count()).toBe(0)
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
  })
})
