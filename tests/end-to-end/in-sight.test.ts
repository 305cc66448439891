import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, resize, settled } from '../../support/browser.ts'
import {
  approvals,
  conversation,
  dockedCard,
  messageBox,
  pressUntil,
  write,
} from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTool, callTools, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Nothing is decided that its user does not see: view and keyboard are at the same place.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const people = ['ada', 'bob', 'cleo'].map((name) => `${name}@example.com`)
const lines = (count: number) =>
  Array.from({ length: count }, (_, line) => `Line ${line + 1} of a letter.`).join('\n')
const letter = (to: string, count: number) => ({ to: [to], subject: 'Summer party', body: lines(count) })

const log = () => conversation(page)
const cards = () => approvals(page)
const several = () => page.getByRole('group', { name: '3 approvals' })
const docked = () => dockedCard(page)
const send = (card: Locator) => card.getByRole('button', { name: 'Send email' })
const receipts = () => log().locator('p', { hasText: /^You approved · / })
const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement)

const holdsFocus = (place: Locator) => place.evaluate((element) => element.contains(document.activeElement))

/** Which edges of a place are in sight. */
const edges = (place: Locator) =>
  place.evaluate((element) => {
    const inner = element.getBoundingClientRect()
    let scroller = element.parentElement
    while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
      scroller = scroller.parentElement
    const outer = (scroller ?? document.documentElement).getBoundingClientRect()
    const isIn = (edge: number) => edge >= outer.top - 1 && edge <= outer.bottom + 1
    return { top: isIn(inner.top), bottom: isIn(inner.bottom) }
  })

describe.skipIf(!chromiumPath)('in sight', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool') return say('That is done.')
      const count = said.includes('long letter') ? 60 : 4
      if (said.includes('each'))
        return callTools(people.map((one) => ['smtp_send_email', letter(one, count)] as const))
      if (said.includes('Invite')) return callTool('smtp_send_email', letter('dora@example.com', count))
      return say(lines(40))
    })
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  beforeEach(async () => {
    await page.goto('about:blank')
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await resize(page, { width: 1280, height: 800 })
    await page.goto(chat.stack.url)
  })

  async function writeAndWait(text: string, count = 1) {
    await write(page, text)
    await expect.poll(() => cards().count()).toBe(count)
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  }

  /** On a page of its own. */
  async function onPhone(walk: () => Promise<void>) {
    const own = page
    page = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true })
    try {
      await page.getByRole('button', { name: 'Try the demo' }).tap()
      await walk()
    } finally {
      await page.context().close()
      page = own
    }
  }

  it('shows several approvals from their list on, which has the keyboard, however their chat is opened', async () => {
    await writeAndWait('What is there to say?', 0)
    await writeAndWait(`Invite each of them: ${people.join(', ')}`, 3)
    await expect.poll(() => edges(several())).toEqual({ top: true, bottom: true })
    const address = page.url()
    const isShown = async () => {
      await expect.poll(() => hasFocus(several())).toBe(true)
      await expect.poll(() => edges(several())).toEqual({ top: true, bottom: true })
      await page.keyboard.press('Tab')
      expect(await holdsFocus(several())).toBe(true)
    }
    await page.reload()
    await isShown()
    expect(await findBarriers(page)).toEqual([])
    await page.goto('about:blank')
    await page.goto(address)
    await isShown()
    await page
      .getByRole('link', { name: 'New chat' })
      .or(page.getByRole('button', { name: 'New chat' }))
      .click()
    await messageBox(page).waitFor()
    await page.goBack()
    await isShown()
    await page.goto(chat.stack.url)
    await page.getByRole('link', { name: 'What is there to say?' }).click()
    await isShown()
    expect(await recipients()).toEqual([])
  })

  it('goes to what the newest answer asks, not to what was asked before', async () => {
    await writeAndWait('Invite dora@example.com')
    await writeAndWait(`Invite each of them: ${people.join(', ')}`, 4)
    await page.reload()
    await expect.poll(() => hasFocus(several())).toBe(true)
    await expect.poll(() => edges(several())).toEqual({ top: true, bottom: true })
  })

  it('leaves the keyboard away from a card that its user has written on from, out of sight', async () => {
    await writeAndWait('Invite dora@example.com')
    await writeAndWait('What is there to say?')
    await page.reload()
    await cards().waitFor()
    await expect
      .poll(() => edges(log().getByText('Line 40 of a letter.').last()))
      .toEqual({ top: true, bottom: true })
    expect(await holdsFocus(cards())).toBe(false)
  })

  it.each([
    ['whole where it fits', '', { top: true, bottom: true }],
    ['from its beginning where it does not', 'in a long letter', { top: true, bottom: false }],
  ])('shows the card that the keyboard comes to, %s', async (_, how, shown) => {
    await writeAndWait(`Invite each of them ${how}: ${people.join(', ')}`, 3)
    // Where the page is still scrolling to what is asked, the first one may only show it.
    await pressUntil(
      () => send(cards().first()).press('Enter'),
      async () => (await receipts().count()) === 1,
    )
    await expect.poll(() => hasFocus(receipts())).toBe(true)
    while (!(await holdsFocus(cards().first()))) await page.keyboard.press('Tab')
    expect(await hasFocus(send(cards().first()))).toBe(true)
    await expect.poll(() => edges(cards().first())).toEqual(shown)
    await expect.poll(recipients).toEqual(['ada@example.com'])
  })

  it('shows one after the other on a phone, to decide any of them first', async () => {
    await resize(page, { width: 360, height: 740 })
    await write(page, `Invite each of them: ${people.join(', ')}`)
    const next = (place: string) => docked().getByRole('button', { name: `${place} · Next` })
    await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await next('1 of 3').click()
    await docked().getByRole('heading', { name: 'bob@example.com' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await send(docked()).click()
    await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await next('1 of 2').click()
    await docked().getByRole('heading', { name: 'cleo@example.com' }).waitFor()
    await next('2 of 2').click()
    await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
    expect(await recipients()).toEqual(['bob@example.com'])
  })

  it.each([
    ['denied', 'Deny', /^Not sent · /, 0],
    ['sent', 'Send email', /^You approved · /, 0],
    ['sent, though its user taps around meanwhile,', 'Send email', /^You approved · /, 3],
  ])('shows on a phone what was %s above the next card', async (_, button, receipt, taps) => {
    await onPhone(async () => {
      await write(page, `Invite each of them: ${people.join(', ')}`)
      await docked().getByRole('button', { name: '1 of 3 · Next' }).tap()
      await docked().getByRole('button', { name: '2 of 3 · Next' }).tap()
      await docked().getByRole('heading', { name: 'cleo@example.com' }).waitFor()
      const held = gate()
      await page.route('**/approval', async (route) => {
        await held.opened
        await route.continue()
      })
      const place = docked().getByRole('button', { name: button, exact: true })
      const { x = 0, y = 0 } = (await place.boundingBox()) ?? {}
      await place.tap()
      if (taps > 0) await page.touchscreen.tap(x + 20, y + 20)
      for (let tap = 0; tap < taps; tap++) await page.touchscreen.tap(180, 90)
      held.open()
      await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
      if (taps > 0) await page.touchscreen.tap(180, 160)
      const told = log().locator('p', { hasText: receipt })
      await told.waitFor()
      await expect.poll(() => edges(told)).toEqual({ top: true, bottom: true })
    })
  })

  it('does not take the second tap of a double tap on another button that came to its place', async () => {
    await onPhone(async () => {
      await write(page, `Invite each of them in a long letter: ${people.join(', ')}`)
      const press = async (name: string) => {
        await settled(page)
        const { x = 0, y = 0, width = 0, height = 0 } = (await button(name).boundingBox()) ?? {}
        await page.touchscreen.tap(x + width / 2, y + height / 2)
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        )
        await page.touchscreen.tap(x + width / 2, y + height / 2)
      }
      const button = (name: string) => docked().locator('button, summary').filter({ hasText: name }).last()
      await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
      await press('Edit')
      const subject = docked().getByRole('textbox', { name: 'Subject' })
      await subject.fill('Autumn party')
      expect(await recipients()).toEqual([])
      await send(docked()).tap()
      await docked().getByRole('heading', { name: 'bob@example.com' }).waitFor()
      await expect
        .poll(async () => (await chat.stack.inbox.messages()).map((one) => one.subject))
        .toEqual(['Autumn party'])
    })
  })

  it('takes no press on the next card for one of many at the place where the first was decided', async () => {
    await onPhone(async () => {
      await write(page, `Invite each of them: ${people.join(', ')}`)
      await docked().getByRole('heading', { name: 'ada@example.com' }).waitFor()
      await settled(page)
      const { x = 0, y = 0 } = (await send(docked()).boundingBox()) ?? {}
      for (const end = Date.now() + 4000; Date.now() < end; ) await page.touchscreen.tap(x + 20, y + 20)
      await docked().getByRole('heading', { name: 'bob@example.com' }).waitFor()
      expect(await recipients()).toEqual(['ada@example.com'])
    })
  })

  it('shows what the keyboard would press out of sight, and presses it only then', async () => {
    await writeAndWait(`Invite each of them: ${people.join(', ')}`, 3)
    const first = send(cards().first())
    await first.focus()
    const scroller = page.locator('.askback-chat-scroll > div').first()
    await scroller.evaluate((element) => element.scrollBy({ top: element.scrollHeight, behavior: 'instant' }))
    await expect.poll(() => edges(first)).toEqual({ top: false, bottom: false })
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key)
      await expect.poll(() => edges(first)).toEqual({ top: true, bottom: true })
      expect(await receipts().count()).toBe(0)
      await scroller.evaluate((element) =>
        element.scrollBy({ top: element.scrollHeight, behavior: 'instant' }),
      )
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => edges(first)).toEqual({ top: true, bottom: true })
    await pressUntil(
      () => page.keyboard.press('Enter'),
      async () => (await receipts().count()) === 1,
    )
    await expect.poll(recipients).toEqual(['ada@example.com'])
  })

  it('shows the field whose Enter would decide out of sight, and decides only then', async () => {
    await writeAndWait(`Invite each of them: ${people.join(', ')}`, 3)
    await cards().first().getByText('Add a reason').click()
    const reason = cards().first().getByRole('textbox', { name: 'Reason for denying' })
    await reason.fill('Too late')
    const scroller = page.locator('.askback-chat-scroll > div').first()
    await scroller.evaluate((element) => element.scrollBy({ top: element.scrollHeight, behavior: 'instant' }))
    await expect.poll(() => edges(reason)).toEqual({ top: false, bottom: false })
    for (let press = 0; press < 3; press++) await page.keyboard.press('Enter')
    await expect.poll(() => edges(reason)).toEqual({ top: true, bottom: true })
    expect(await cards().count()).toBe(3)
    await pressUntil(
      () => page.keyboard.press('Enter'),
      async () => (await cards().count()) === 2,
    )
    expect(await recipients()).toEqual([])
  })

  it('sends nothing that is about to be edited, however often Enter is pressed', async () => {
    await writeAndWait('Invite dora@example.com')
    await cards().getByRole('button', { name: 'Edit' }).press('Enter')
    for (let press = 0; press < 9; press++) await page.keyboard.press('Enter')
    await cards().getByRole('textbox', { name: 'Subject' }).fill('Autumn party')
    expect(await recipients()).toEqual([])
    await send(cards()).press('Enter')
    await expect
      .poll(async () => (await chat.stack.inbox.messages()).map(({ subject }) => subject))
      .toEqual(['Autumn party'])
  })

  it.each(['chat', 'page of all that waits'])(
    'leads from a card decided elsewhere to its receipt, in its %s',
    async (place) => {
      await writeAndWait(`Invite each of them: ${people.join(', ')}`, 3)
      const other = await page.context().newPage()
      await other.goto(`${chat.stack.url}/waiting`)
      if (place !== 'chat') await page.goto(`${chat.stack.url}/waiting`)
      await send(cards().first()).focus()
      await other
        .getByRole('group', { name: 'Approval needed' })
        .filter({ hasText: 'ada@example.com' })
        .getByRole('button', { name: 'Deny' })
        .click()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent), { timeout: 20_000 })
        .toMatch(/^(Not sent|Already denied) · /)
      await other.close()
    },
  )

  it('shows the card that the keyboard comes back to, and moves none that is pressed', async () => {
    await writeAndWait(`Invite each of them: ${people.join(', ')}`, 3)
    await messageBox(page).focus()
    while (!(await holdsFocus(cards().last()))) await page.keyboard.press('Shift+Tab')
    await expect.poll(() => edges(cards().last())).toEqual({ top: true, bottom: true })
    await settled(page)
    const scroller = page.locator('.askback-chat-scroll > div').first()
    await scroller.evaluate((one) => one.scrollBy({ top: -150, behavior: 'instant' }))
    const place = await scroller.evaluate((one) => one.scrollTop)
    expect((await edges(cards().last())).bottom).toBe(false)
    await messageBox(page).focus()
    const { x = 0, y = 0 } = (await send(cards().last()).boundingBox()) ?? {}
    await page.mouse.move(x + 5, y + 5)
    await page.mouse.down()
    await expect.poll(() => hasFocus(send(cards().last()))).toBe(true)
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    expect(await scroller.evaluate((one) => one.scrollTop)).toBe(place)
    await messageBox(page).hover()
    await page.mouse.up()
    expect(await recipients()).toEqual([])
  })

  it('leads from the last field of an edit to its buttons, and to the other fields only then', async () => {
    for (const size of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      await resize(page, size)
      await page.goto(chat.stack.url)
      await write(page, 'Invite dora@example.com')
      await cards().getByRole('button', { name: 'Edit' }).press('Enter')
      await cards().getByRole('textbox', { name: 'Text' }).focus()
      const more = cards().locator('summary', { hasText: 'More' })
      for (const next of [send(cards()), cards().getByRole('button', { name: 'Cancel' }), more]) {
        await page.keyboard.press('Tab')
        expect(await hasFocus(next)).toBe(true)
        await expect.poll(() => edges(next)).toEqual({ top: true, bottom: true })
      }
      await page.keyboard.press('Enter')
      await cards().getByRole('textbox', { name: 'Reply email address' }).waitFor()
      expect(await findBarriers(page)).toEqual([])
    }
  })

  it.each([
    ['in one go', false],
    ['after a reload', true],
  ])('shows on a phone what was done, once the last of several is decided, %s', async (_, isReloaded) => {
    await onPhone(async () => {
      await write(page, `Invite each of them: ${people.join(', ')}`)
      for (const one of people) {
        const heading = docked().getByRole('heading', { name: one })
        await heading.waitFor()
        const isOpened = isReloaded && one === people.at(-1)
        if (isOpened) await page.reload()
        await heading.waitFor()
        const newest = isOpened || one === people[0] ? log().getByRole('article') : receipts()
        await expect.poll(() => edges(newest.last())).toMatchObject({ bottom: true })
        const decide = async () => {
          // Within a second after another one, a tap does not count.
          if (await heading.isVisible()) await send(docked()).tap()
          return heading.isVisible()
        }
        await expect.poll(decide, { timeout: 20_000, interval: 1200 }).toBe(false)
      }
      await docked().waitFor({ state: 'detached' })
      await expect.poll(recipients).toEqual(people)
      await expect.poll(() => log().getByText('That is done.').count()).toBe(1)
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      const end = log().getByText('That is done.').last()
      await expect.poll(() => edges(end)).toEqual({ top: true, bottom: true })
      expect(await page.getByRole('button', { name: 'Newest message' }).count()).toBe(0)
    })
  })
})
