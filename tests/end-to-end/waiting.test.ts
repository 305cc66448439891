import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  chromiumPath,
  findBarriers,
  openDemo,
  resize,
  settled,
  sidewaysScroll,
} from '../../support/browser.ts'
import { approvals, messageBox, pressUntil, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../../support/chat-user.ts'
import { callTool, callTools, say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What waits for its user is seen from everywhere, and can be decided where it is seen.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const people = ['ada', 'bob', 'cleo']
const invitation = (name: string) => ({
  to: [`${name}@example.com`],
  subject: 'Summer party',
  body: `Dear ${name}, you are invited.`,
})
const everybody = `Invite everybody: ${people.map((name) => `${name}@example.com`).join(', ')}`
const { to: _, ...withoutRecipient } = invitation('ada')

const { subject: __, ...withoutSubject } = invitation('ada')

/** The model answers when it is let go. */
const release: (() => void)[] = []
const held = () => new Promise<void>((resolve) => release.push(resolve))

const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
const cards = (on = page) => approvals(on)
const sentTo = (name: string, on = page) =>
  on.locator('.waiting-list').getByText(`Sent "Summer party" to "${name}@example.com"`)
const selectAll = (on = page) => on.getByRole('checkbox', { name: 'Select all' })
/** By its own sentence: after that, a card may name others that still wait. */
const cardFor = (name: string, on = page) =>
  cards(on).and(on.getByRole('group', { description: new RegExp(`^[^?]*${name}@example\\.com`) }))
const field = (on = page) => form(on).getByRole('textbox', { name: 'Recipient email address' })
const message = (on = page) => messageBox(on)
const form = (on = page) => on.getByRole('form', { name: recipientQuestion })
const waitingLink = (on = page) =>
  on.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Waiting for you/ })
/** Above the composer, or in its place. */
const open = (on = page) => on.getByRole('region', { name: 'Waiting for you' })
const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement)
/** How often each tab asks the data API how much is open. */
const countLooks = (tab: Page) => countRequests(tab, '/rest/v1/rpc/count_waiting')
function countRequests(tab: Page, address: string): () => number {
  let count = 0
  tab.on('request', (request) => {
    if (request.url().includes(address)) count++
  })
  return () => count
}

describe.skipIf(!chromiumPath)('what waits for its user', () => {
  beforeAll(async () => {
    chat.model.use(async ({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:'))
        return say('That is done.')
      if (said.includes('Invite everybody'))
        return callTools(people.map((name) => ['smtp_send_email', invitation(name)] as const))
      const [, slow] = /Invite (\w+) at length/.exec(said) ?? []
      if (slow)
        return callTool('smtp_send_email', { ...invitation(slow), body: 'You are invited. '.repeat(2_000) })
      if (said.includes('Invite ada')) return callTool('smtp_send_email', invitation('ada'))
      if (said.includes('Search')) return callTool('web_search', { query: 'sailing' })
      if (said.includes('without a subject')) return callTool('smtp_send_email', withoutSubject)
      if (said.includes('Take your time') && last?.role === 'user') await held()
      if (said.includes('Invite somebody')) return callTool('smtp_send_email', withoutRecipient)
      return say('Well.')
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
    await messageBox(page).waitFor()
  })
  afterEach(async () => {
    await setMailApproval(chat.stack, 'always')
    for (const tab of page.context().pages()) if (tab !== page) await tab.close()
    await page.unrouteAll()
  })

  const isFocusedInSight = () =>
    page.evaluate(() => {
      const { top, bottom } = (document.activeElement as HTMLElement).getBoundingClientRect()
      // Pages scroll by whole pixels.
      return top > -1 && bottom < innerHeight + 1
    })

  /** A double click at one point: its second half falls on what has moved there. */
  const clickTwice = async (clientY: number, first: Locator, movedUp: Locator) =>
    first.evaluate(
      async (button, { next, clientY }) => {
        const place = { bubbles: true, cancelable: true, detail: 1, clientX: 400, clientY }
        button.dispatchEvent(new MouseEvent('click', place))
        await new Promise(requestAnimationFrame)
        next?.dispatchEvent(new MouseEvent('click', place))
      },
      { next: await movedUp.elementHandle(), clientY },
    )

  it('is decided one at a time, also by a double click whose second half falls on the next card', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await waitingLink().click()
    await cards().nth(2).waitFor()
    const send = (name: string) => cardFor(name).getByRole('button', { name: 'Send email' })
    await clickTwice(400, send('ada'), send('bob'))
    await sentTo('ada').waitFor()
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Askback')
    await selectAll().check()
    await clickTwice(200, page.getByRole('button', { name: 'Deny both' }), send('bob'))
    await expect.poll(() => page.title()).toBe('Waiting for you · Askback')
    expect(await recipients()).toEqual(['ada@example.com'])
  })

  it('is shown once the words of its tools are there, never with names of parameters', async () => {
    await write(page, 'Invite somebody')
    await form().waitFor()
    await page.route('**/functions/v1/chat/tools', async (route) => {
      await held()
      await route.continue()
    })
    const listed = page.waitForResponse('**/functions/v1/chat/open*')
    await page.goto(`${chat.stack.url}/waiting`)
    await listed
    await expect.poll(() => release.length).toBe(1)
    await settled(page)
    expect(await form().count()).toBe(0)
    release.pop()?.()
    await form().waitFor()
    expect(await field().isVisible()).toBe(true)
  })

  it('leads whoever decides several by keyboard to the first receipt, and offers nothing about none', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await resize(page, { width: 360, height: 740 })
    await page.goto(`${chat.stack.url}/waiting`)
    await page.getByRole('checkbox', { name: 'cleo@example.com' }).check()
    await page.getByRole('button', { name: 'Approve 1', exact: true }).press('Enter')
    await sentTo('cleo').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toMatch(/^You approved · /)
    await expect.poll(isFocusedInSight).toBe(true)
    const several = page.getByRole('group', { name: '2 approvals' })
    for (const name of ['Approve', 'Deny'])
      expect(await several.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
    expect(await findBarriers(page)).toEqual([])

    // One that is refused gives back the keyboard, too.
    await page.route('**/approval', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'Try again in a minute.' } } }),
    )
    await several.getByRole('checkbox', { name: 'bob@example.com' }).check()
    await several.getByRole('button', { name: 'Approve 1', exact: true }).press('Enter')
    await several.getByText('Try again in a minute.').waitFor()
    const again = several.getByRole('button', { name: 'Approve 1', exact: true })
    await expect.poll(() => isFocused(again)).toBe(true)
    expect(browser.complaints().filter(({ status }) => status !== 503)).toEqual([])
  })

  /** A phone of its user, at what waits. */
  async function openPhone() {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true })
    await phone.locator('.door button.primary').first().click()
    await message(phone).waitFor()
    await phone.goto(`${chat.stack.url}/waiting`)
    return phone
  }

  /** Touches something, and returns what lies under the finger after that. */
  async function touch(place: Locator, on: Page) {
    // Where a tap would scroll it to, once it takes one.
    await place.scrollIntoViewIfNeeded()
    await expect.poll(() => place.evaluate((button) => getComputedStyle(button).pointerEvents)).toBe('auto')
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
    const finger = { x: x + width / 2, y: y + height / 2 }
    await on.touchscreen.tap(finger.x, finger.y)
    return () =>
      on.evaluate(({ x, y }) => {
        const under = document.elementFromPoint(x, y)
        const pressed = under?.closest('a, button:not(:disabled)')
        return `${pressed?.textContent ?? 'nothing'} of ${under?.closest('li')?.textContent ?? 'several'}`
      }, finger)
  }

  it('moves nothing else that can be pressed to the finger that decided, however late it is lifted again', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    const phone = await openPhone()
    const several = phone.getByRole('group', { name: '3 approvals' })
    for (const name of ['bob', 'cleo']) await several.getByRole('checkbox', { name }).check()
    // A box that takes no press yet may have been scrolled to.
    await phone.locator('main').evaluate((main) => main.scrollTo(0, 0))
    const heading = phone.getByRole('heading', { name: 'Waiting for you', level: 1 })
    const place = await heading.boundingBox()
    const under = await touch(several.getByRole('button', { name: 'Approve 2' }), phone)
    await phone.getByRole('group', { name: '1 approval' }).waitFor()
    expect(await under()).toBe('nothing of several')
    await expect
      .poll(() => phone.locator('.waiting-list').getByText('Sent "Summer party" to').count())
      .toBe(2)
    expect(await under()).toBe('nothing of several')
    expect(await heading.boundingBox()).toEqual(place)
    expect(await findBarriers(phone)).toEqual([])
    expect(await recipients()).toEqual(['bob@example.com', 'cleo@example.com'])
    // The last one is decided by itself, and all of it stays until its user leaves.
    await cardFor('ada', phone).getByRole('button', { name: 'Deny' }).tap()
    await phone.getByRole('group', { name: 'All decided' }).waitFor()
    expect(await findBarriers(phone)).toEqual([])
  })

  it('turns a card into a receipt in its place, also where its letter is longer than the screen', async () => {
    await write(page, 'Invite emil at length: emil@example.com')
    await cards().waitFor()
    await write(page, everybody)
    await cards().nth(3).waitFor()
    const phone = await openPhone()
    for (const name of ['emil', 'ada']) {
      await cardFor(name, phone).evaluate((card) => card.scrollIntoView({ block: 'start' }))
      const under = await touch(cardFor(name, phone).getByRole('button', { name: 'Send email' }), phone)
      const sent = sentTo(name, phone)
      await sent.waitFor()
      expect(await under()).toMatch(new RegExp(`^nothing of .*${name}@example.com"$`))
      expect(
        await sent.evaluate((line) =>
          document.elementsFromPoint(180, line.getBoundingClientRect().top).includes(line),
        ),
      ).toBe(true)
      expect(await findBarriers(phone)).toEqual([])
    }
  })

  it('keeps who was selected while its user looks at the chat, and begins anew after a reload', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await waitingLink().click()
    const ada = page.getByRole('checkbox', { name: 'ada@example.com' })
    expect(await ada.isChecked()).toBe(false)
    await ada.check()
    await page.locator('main').getByRole('link', { name: everybody }).click()
    await message().waitFor()
    expect(await ada.isChecked()).toBe(true)
    await page.goBack()
    await page.getByRole('button', { name: 'Approve 1', exact: true }).waitFor()
    expect(await ada.isChecked()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    expect(await ada.isChecked()).toBe(false)
  })

  it('has the buttons of a card at the bottom of the screen only where that card fills it', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await write(page, 'Invite emil at length: emil@example.com')
    await cards().nth(3).waitFor()
    const phone = await openPhone()
    const bottom = (name: string) =>
      cardFor(name, phone)
        .getByRole('button', { name: 'Send email' })
        .evaluate((button) => innerHeight - button.getBoundingClientRect().bottom)
    await cardFor('emil', phone).waitFor()
    expect(await bottom('ada')).toBeLessThan(0)
    await cardFor('emil', phone).evaluate((card) => card.scrollIntoView({ block: 'start' }))
    expect(await bottom('emil')).toBeGreaterThan(0)
  })

  it('takes no press where it has only just come or moved: it was meant for what was there before', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    const looks = () => page.evaluate(() => (window as unknown as { looks: string[][] }).looks)
    await page.evaluate(() => {
      const looks: string[][] = [[]]
      Object.assign(window, { looks })
      new MutationObserver(() => {
        const cards = [...document.querySelectorAll('.waiting-list .askback-approval')]
        if (cards.length === looks.at(-1)?.length) return
        looks.push(cards.map((card) => getComputedStyle(card).pointerEvents))
      }).observe(document.body, { childList: true, subtree: true })
    })
    await waitingLink().click()
    await expect.poll(looks).toEqual([[], ['none', 'none', 'none']])
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(`${chat.stack.url}/waiting`)
    await cardFor('ada', elsewhere).getByRole('button', { name: 'Deny' }).click()
    await expect.poll(looks).toEqual([[], ['none', 'none', 'none'], ['none', 'none']])
    const takesPresses = () =>
      cardFor('bob').evaluate((card) => getComputedStyle(card).pointerEvents !== 'none')
    await expect.poll(takesPresses).toBe(true)
    await cardFor('bob').getByRole('button', { name: 'Send email' }).click()
    await expect.poll(recipients).toEqual(['bob@example.com'])
  })

  it('selects nothing by itself, and nothing that comes after all were selected', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    const waiting = await page.context().newPage()
    await waiting.goto(`${chat.stack.url}/waiting`)
    const box = (name: string) => waiting.getByRole('checkbox', { name: `${name}@example.com` })
    for (const name of ['ada', 'bob', 'cleo']) {
      expect(await selectAll(waiting).isChecked()).toBe(false)
      await box(name).check()
    }
    expect(await selectAll(waiting).isChecked()).toBe(true)
    await page.goto(chat.stack.url)
    await write(page, 'Invite emil at length: emil@example.com')
    await box('emil').waitFor()
    expect(await box('emil').isChecked()).toBe(false)
    const isMixed = () => selectAll(waiting).evaluate((one: HTMLInputElement) => one.indeterminate)
    expect(await isMixed()).toBe(true)
    await waiting.getByRole('button', { name: 'Approve 3', exact: true }).waitFor()
    await pressUntil(
      () => selectAll(waiting).click(),
      () => selectAll(waiting).isChecked(),
    )
    expect(await isMixed()).toBe(false)
    await waiting.getByRole('button', { name: 'Approve all 4' }).waitFor()
    await selectAll(waiting).uncheck()
    for (const name of ['Approve', 'Deny'])
      expect(await waiting.getByRole('button', { name, exact: true }).first().isDisabled()).toBe(true)
    expect(await recipients()).toEqual([])
  })

  it('is not left for its chat by the second half of a double click', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await waitingLink().click()
    await page.getByRole('checkbox', { name: 'bob@example.com' }).check()
    const chatLink = page.locator('main').getByRole('link', { name: everybody })
    await clickTwice(300, page.getByRole('button', { name: 'Approve 1', exact: true }), chatLink)
    await sentTo('bob').waitFor()
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Askback')
    // A click that has nothing to do with it counts.
    await chatLink.click()
    await message().waitFor()
  })

  it('is decided one by one where it may have happened, and apart from what is approved all at once', async () => {
    const proxy = await startTcpProxy(chat.stack.smtp.port, { muteAfter: 10_000 })
    const sendBy = (port: number) =>
      withDatabase(
        chat.stack,
        (sql) =>
          sql`update askback.connections set metadata = (metadata::jsonb || ${sql.json({ port })}::jsonb)::json`,
      )
    const several = page.getByRole('group', { name: / approvals$/ })
    await sendBy(proxy.port)
    await setMailApproval(chat.stack, 'never')
    for (const [index, name] of ['dora', 'emil'].entries()) {
      await write(page, `Invite ${name} at length: ${name}@example.com`)
      await expect.poll(recipients).toHaveLength(index + 1)
      await proxy.takeDown()
      await open().getByText(`Send "Summer party" to "${name}@example.com" again?`).waitFor()
      await proxy.putUp()
    }
    await resize(page, { width: 360, height: 740 })
    await page.getByRole('button', { name: 'Write a message instead' }).waitFor()
    expect(await open().innerText()).not.toMatch(/approvals/)
    await resize(page, { width: 1280, height: 800 })
    await proxy.close()
    await sendBy(chat.stack.smtp.port)
    await setMailApproval(chat.stack, 'always')

    await page.goto(`${chat.stack.url}/waiting`)
    await cards().nth(1).waitFor()
    for (const name of ['dora', 'emil']) {
      await cardFor(name)
        .getByRole('heading', { name: `Send "Summer party" to "${name}@example.com" again?` })
        .waitFor()
      await cardFor(name).getByText(chat.stack.demoUser.email).waitFor()
    }
    expect(await several.count()).toBe(0)

    await page.goto(chat.stack.url)
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await page.goto(`${chat.stack.url}/waiting`)
    await several.waitFor()
    expect(await several.getByRole('listitem').count()).toBe(3)
    await selectAll().check()
    await several.getByRole('button', { name: 'Approve all 3' }).click()
    await expect.poll(recipients).toEqual([...people, 'dora', 'emil'].map((name) => `${name}@example.com`))
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Askback')
    expect(await cards().count()).toBe(2)
  })

  it('is decided from its own page, one of three mails after the other, and other tabs hear of it', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${chat.stack.url}/agents`)
    await expect.poll(() => other.title()).toBe('(3) Agents · Askback')
    await expect.poll(() => waitingLink().innerText()).toMatch(/3$/)
    expect(await page.title()).toMatch(/^\(3\) .*Askback$/)
    // Above all other pages.
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await links.first().innerText()).toMatch(/^Waiting for you/)

    await waitingLink().click()
    await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
    await cards().nth(2).waitFor()
    expect(await cards().count()).toBe(3)
    expect(await findBarriers(page)).toEqual([])
    await cardFor('bob').getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/^You approved · \d\d:\d\d/).waitFor()
    await sentTo('bob').waitFor()
    await expect.poll(recipients).toEqual(['bob@example.com'])
    expect(await cards().count()).toBe(2)
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Askback')
    await expect.poll(() => other.title()).toBe('(2) Agents · Askback')
    expect(await findBarriers(page)).toEqual([])

    // By keyboard: the receipt has the focus until its user moves on, and is in sight though the letter was taller.
    await resize(page, { width: 1280, height: 300 })
    const deny = cardFor('ada').getByRole('button', { name: 'Deny' })
    await deny.evaluate((button) => button.scrollIntoView({ block: 'start' }))
    await deny.press('Enter')
    const receipt = page.getByText(/^Not sent · \d\d:\d\d/)
    await receipt.waitFor()
    await expect.poll(() => cards().count()).toBe(1)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Not sent/)
    await expect.poll(isFocusedInSight).toBe(true)
    // What waits next has a card of its own.
    expect(await receipt.locator('..').innerText()).not.toContain('cleo@example.com')
    await resize(page, { width: 1280, height: 800 })

    await cardFor('cleo').getByRole('button', { name: 'Send email' }).click()
    await expect.poll(() => page.title()).toBe('Waiting for you · Askback')
    await expect.poll(() => other.title()).toBe('Agents · Askback')
    expect(await waitingLink().innerText()).toBe('Waiting for you')
    await expect.poll(recipients).toEqual(['bob@example.com', 'cleo@example.com'])
    await page.reload()
    await page.getByText('Nothing is waiting for you.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('is met in order by the keyboard where several can be decided at once', async () => {
    await write(page, everybody)
    await cards().nth(2).waitFor()
    const several = page.getByRole('group', { name: '3 approvals' })
    const tabToSeveral = async () => {
      await cards().nth(2).waitFor()
      await expect.poll(() => isFocused(page.getByRole('heading', { level: 1 }))).toBe(true)
      // Past the choice of notifications.
      for (let tabs = 0; tabs < 2; tabs++) await page.keyboard.press('Tab')
      expect(await isFocused(several.getByRole('checkbox').first())).toBe(true)
    }
    await waitingLink().press('Enter')
    await tabToSeveral()
    await page.reload()
    await tabToSeveral()
  })

  it('leaves the keyboard at the top of its page, whatever comes below, now or since the last visit', async () => {
    await write(page, 'Invite emil at length: emil@example.com')
    await cards().waitFor()
    await page.goto(`${chat.stack.url}/waiting`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect.poll(() => isFocused(heading)).toBe(true)
    await page
      .getByRole('link', { name: 'New chat' })
      .or(page.getByRole('button', { name: 'New chat' }))
      .click()
    await write(page, everybody)
    await cards().nth(2).waitFor()
    await waitingLink().click()
    await cards().nth(3).waitFor()
    await expect.poll(() => isFocused(heading)).toBe(true)
    const other = await page.context().newPage()
    await other.goto(chat.stack.url)
    await write(other, 'Invite somebody')
    await cards().nth(4).waitFor()
    await settled(page)
    expect(await isFocused(heading)).toBe(true)
  })

  it('is looked for by one tab for all of them, and by the next one when that is closed', async () => {
    const [second, third] = [await page.context().newPage(), await page.context().newPage()]
    const tabs = [page, second, third]
    for (const tab of [second, third]) {
      const looked = tab.waitForResponse('**/rest/v1/rpc/count_waiting')
      await tab.goto(`${chat.stack.url}/agents`)
      await (await looked).finished()
    }
    const looks = tabs.map(countLooks)
    const all = () => looks.map((count) => count())
    await expect.poll(() => Math.max(...all())).toBeGreaterThanOrEqual(2)
    expect(all().slice(1)).toEqual([0, 0])
    await page.goto('about:blank')
    await expect.poll(() => Math.max(...all().slice(1))).toBeGreaterThanOrEqual(2)
    expect(Math.min(...all().slice(1))).toBe(0)
  })

  it('is looked for every minute by a tab that nobody sees, at once and then within 6 s when it is seen again', async () => {
    // In a context of its own: they share a clock.
    const hidden = await openDemo(browser, chat.stack.url)
    await hidden.clock.install()
    await hidden.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', {
        get: () => ((window as { isSeen?: boolean }).isSeen ? 'visible' : 'hidden'),
      })
    })
    // All that the page asks for by itself: its tools are shown with what belongs to them.
    const loaded = ['/rest/v1/rpc/count_waiting', '/chat/conversations', '/chat/models'].map((address) =>
      hidden.waitForResponse((response) => response.url().includes(address)),
    )
    await hidden.goto(`${chat.stack.url}/agents`)
    await hidden.getByRole('region', { name: 'Tools', exact: true }).waitFor()
    for (const one of loaded) await (await one).finished()
    const looks = countLooks(hidden)
    const calls = countRequests(hidden, '/functions/v1/')
    // Its clock goes on meanwhile.
    await hidden.clock.fastForward(30_000)
    expect(looks()).toBe(0)
    await hidden.clock.fastForward(30_000)
    await expect.poll(looks).toBe(1)
    // Nothing is asked for again while it is being answered.
    const answered = hidden.waitForResponse('**/rest/v1/rpc/count_waiting')
    await hidden.evaluate(() => {
      ;(window as { isSeen?: boolean }).isSeen = true
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(looks).toBe(2)
    await (await answered).finished()
    // From here on, it is moved by hand alone.
    await hidden.clock.pauseAt(await hidden.evaluate(() => Date.now() + 100))
    const before = looks()
    // The first 6 s can be over before the page has handled the answer.
    const waitOn = async () => {
      if (looks() === before) await hidden.clock.fastForward(6_000)
      return looks()
    }
    await expect.poll(waitOn, { interval: 1_000 }).toBe(before + 1)
    expect(calls()).toBe(0)
  })

  it('is not answered by a second Enter on what led to it, whatever was begun in its form', async () => {
    await setMailApproval(chat.stack, 'never')
    await write(page, 'Invite somebody')
    await field().fill('bob@example.com')
    const line = open().getByRole('button', { name: /^Answering: / })
    await page
      .getByRole('button', { name: 'New chat' })
      .or(page.getByRole('link', { name: 'New chat' }))
      .click()
    await page.getByRole('link', { name: 'Invite somebody' }).focus()
    // Without a pause, until it has long been led to.
    for (let press = 0; press < 60; press++) await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(field())).toBe(true)
    await line.press('Enter')
    for (let press = 0; press < 3; press++) await page.keyboard.press('Enter')
    expect(await field().inputValue()).toBe('bob@example.com')
    expect(await isFocused(field())).toBe(true)
    expect(await form().getByRole('button', { name: 'Send answer' }).isEnabled()).toBe(true)
    // Its agent asks from now on. Whoever types has arrived.
    await setMailApproval(chat.stack, 'always')
    await field().fill('ada@example.com')
    await page.keyboard.press('Enter')
    await cardFor('ada').waitFor()
  })

  it('stands above the composer, whatever is said meanwhile; a message answers nothing, and Skip goes on', async () => {
    await setMailApproval(chat.stack, 'never')
    await write(page, 'Invite somebody')
    await form().waitFor()
    await write(page, 'Hello')
    await page.getByText('Well.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    // Its run is over, and it is open all the same.
    await page.getByRole('img', { name: 'Waiting for you' }).waitFor()
    const line = open().getByRole('button', { name: `Answering: ${recipientQuestion}` })
    await line.waitFor()
    expect(await findBarriers(page)).toEqual([])
    // Whoever goes back from the composer comes to the question, not to what would end it.
    await message().focus()
    await page.keyboard.press('Shift+Tab')
    expect(await isFocused(line)).toBe(true)
    const skip = open().getByRole('button', { name: 'Skip' })
    await page.keyboard.press('Shift+Tab')
    expect(await isFocused(skip)).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(field())).toBe(true)
    await skip.click()
    await page.getByText('This was not done, because you skipped it.').waitFor()
    await open().waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'Waiting for you' }).waitFor({ state: 'detached' })
    expect(await recipients()).toEqual([])
  })

  it('leaves the keyboard at the receipt of what was skipped', async () => {
    await setMailApproval(chat.stack, 'never')
    for (const text of ['Invite somebody', 'Search for sailing']) {
      await write(page, text)
      await open()
        .getByRole('button', { name: /^(?:Answering|Waiting for you to connect)/ })
        .press('Enter')
      const skip = page.getByRole('log').getByRole('button', { name: 'Skip' })
      await skip.press('Enter')
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await open().waitFor({ state: 'detached' })
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      await expect.poll(focused).toMatch(/^You skipped this · /)
      await page.goto(chat.stack.url)
    }
  })

  it('keeps what was typed that is not complete, and shows what is known, not what is asked for', async () => {
    await setMailApproval(chat.stack, 'never')
    await write(page, 'Invite somebody')
    await field().fill('bob@example')
    await field().press('Enter')
    await form().getByText('“bob@example” isn’t a complete email address.').waitFor()
    expect(await field().inputValue()).toBe('bob@example')
    // The browser cannot know this one.
    await field().fill('ada@example.com, bob@exa_mple.com')
    await field().press('Enter')
    const again = page.getByRole('form', { name: /is not a complete email address/ })
    await again.getByText('So far').click()
    await again.getByText('ada@example.com', { exact: true }).waitFor()
    expect(await again.innerText()).not.toContain('null')
    await again.getByRole('button', { name: 'Skip' }).click()
    await page.getByText('This was not done, because you skipped it.').waitFor()
  })

  it('stands in place of the composer on a phone, until it is answered or put aside', async () => {
    await setMailApproval(chat.stack, 'never')
    await resize(page, { width: 360, height: 740 })
    await write(page, 'Invite somebody')
    await open().getByRole('form').waitFor()
    expect(await form().count()).toBe(1)
    expect(await message().count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBe(0)
    await open().getByRole('button', { name: 'Write a message instead' }).click()
    await message().waitFor()
    expect(await isFocused(message())).toBe(true)
    expect(await form().count()).toBe(1)
    await open()
      .getByRole('button', { name: /^Answering: / })
      .click()
    await message().waitFor({ state: 'detached' })
    // As above the phone's keyboard.
    await resize(page, { width: 360, height: 420 })
    await field().focus()
    await settled(page)
    const isSeen = form()
      .getByRole('button', { name: 'Send answer' })
      .evaluate((button) => {
        const { left, top, bottom } = button.getBoundingClientRect()
        return [top + 1, bottom - 1].every((y) => button.contains(document.elementFromPoint(left + 9, y)))
      })
    expect(await isSeen).toBe(true)
    // Its agent asks from now on.
    await setMailApproval(chat.stack, 'always')
    await field().fill('bob@example.com')
    await form().getByRole('button', { name: 'Send answer' }).click()
    // Waits until the card in the place of the form takes presses.
    await open().getByRole('button', { name: 'Send email' }).click()
    await message().waitFor()
    await expect.poll(recipients).toEqual(['bob@example.com'])
    expect(await open().count()).toBe(0)
  })

  it('takes nobody on a phone what they are typing into', async () => {
    await setMailApproval(chat.stack, 'never')
    await resize(page, { width: 360, height: 740 })
    await write(page, 'Invite somebody. Take your time.')
    await expect.poll(() => release.length).toBe(1)
    await message().pressSequentially('And ')
    for (const letGo of release.splice(0)) letGo()
    await form().waitFor()
    await page.keyboard.type('one more thing')
    expect(await message().inputValue()).toBe('And one more thing')
    await open()
      .getByRole('button', { name: /^Answering: / })
      .waitFor()
  })

  it('is answered with one press where there are up to five choices', async () => {
    const seasons = ['Winter', 'Spring', 'Summer', 'Autumn', 'Garden', 'Office'].map((one) => `${one} party`)
    let count = 6
    // No tool of ours asks for one of a few: here the subject is.
    await page.route('**/functions/v1/chat/conversations/*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const { schema } of body.pending ?? [])
        if (schema) schema.properties.subject.enum = seasons.slice(0, count)
      await route.fulfill({ response, json: body })
    })
    await setMailApproval(chat.stack, 'never')
    await write(page, 'Write to ada@example.com without a subject')
    const choices = page.getByRole('form').getByRole('group')
    await page.getByRole('form').getByRole('combobox', { name: 'Subject' }).waitFor()
    expect(await choices.getByRole('button').count()).toBe(0)
    count = 5
    await page.reload()
    await choices.getByRole('button').nth(4).waitFor()
    expect(await choices.getByRole('button').allInnerTexts()).toEqual(seasons.slice(0, 5))
    // Its agent asks from now on.
    await setMailApproval(chat.stack, 'always')
    await choices.getByRole('button', { name: 'Winter party' }).click()
    await cards().getByText('Send "Winter party" to "ada@example.com"?').waitFor()
    await page.unrouteAll()
  })

  it('is seen in what a search finds, beside the title', async () => {
    await write(page, 'Invite somebody to the party in the garden behind the old harbour')
    await cards().waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('harbour')
    const found = page.getByRole('region', { name: 'Conversations' }).locator('a:has(mark)')
    await found.getByRole('img', { name: 'Waiting for you' }).waitFor()
    // In one picture: the list may still move.
    const [dot, title] = await found.evaluate((row) =>
      ['[role=img][aria-label="Waiting for you"]', '.askback-conversation-title'].map((part) =>
        row.querySelector(part)?.getBoundingClientRect().toJSON(),
      ),
    )
    expect(dot.x + dot.width).toBeLessThan(title.x)
    expect(dot.y).toBeGreaterThan(title.y)
    expect(dot.y + dot.height).toBeLessThan(title.y + title.height)
  })

  it('says how long ago an approval was asked for, and when it expires', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByText('Asked just now · Expires in 7 days').waitFor()
    const day = 24 * 3_600_000
    await page.route('**/functions/v1/chat/conversations/*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      // As if all of it had happened two days ago.
      for (const item of body.pending)
        for (const time of ['askedAt', 'expiresAt'])
          item[time] = new Date(Date.parse(item[time]) - 2 * day).toISOString()
      await route.fulfill({ response, json: body })
    })
    await page.reload()
    await cards().getByText('Asked 2 days ago · Expires in 5 days').waitFor()
  })

  it('is told by the browser once, where its user has switched that on and looks at something else', async () => {
    await page.context().grantPermissions(['notifications'])
    await page.context().addInitScript(() => {
      const told: string[] = []
      Object.assign(window, {
        told,
        Notification: class {
          static permission = 'granted'
          static async requestPermission(): Promise<string> {
            return 'granted'
          }
          close = () => {}
          onclick?: () => void
          constructor(title: string) {
            told.push(title)
            Object.assign(window, { press: () => this.onclick?.() })
          }
        },
      })
      document.hasFocus = () => false
    })
    const told = async () => {
      const all = page
        .context()
        .pages()
        .map((tab) => tab.evaluate(() => (window as unknown as { told: string[] }).told))
      return (await Promise.all(all)).flat()
    }
    await page.goto(`${chat.stack.url}/waiting`)
    // It is ticked once the browser has allowed it.
    const choice = page.getByRole('checkbox', { name: 'Notify me in this browser' })
    await choice.click()
    await expect.poll(() => choice.isChecked()).toBe(true)
    const other = await page.context().newPage()
    await other.goto(chat.stack.url)
    await message(other).waitFor()
    await write(other, 'Invite ada@example.com')
    await cards(other).waitFor()
    await expect.poll(told).toEqual(['Send "Summer party" to "ada@example.com"?'])
    await cards().waitFor()
    await cardFor('ada').getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => other.title()).not.toMatch(/^\(/)
    await choice.click()
    await expect.poll(() => choice.isChecked()).toBe(false)
    await write(other, 'Invite ada@example.com again')
    await cards(page).waitFor()
    expect(await told()).toHaveLength(1)
  })

  it('says that the browser blocks what its user has refused, not what they have left undecided', async () => {
    await page.context().addInitScript(() => {
      const undecided = { permission: 'default', requestPermission: async () => undecided.permission }
      Object.assign(window, { Notification: undecided })
    })
    await page.goto(`${chat.stack.url}/waiting`)
    const choice = page.getByRole('checkbox', { name: 'Notify me in this browser' })
    const blocked = page.getByText('Your browser blocks notifications')
    await choice.click()
    expect(await choice.isChecked()).toBe(false)
    expect(await blocked.count()).toBe(0)
    await page.evaluate(() => Object.assign(Notification, { permission: 'denied' }))
    await choice.click()
    await blocked.waitFor()
    expect(await choice.isChecked()).toBe(false)
  })

  it('still counts where the code that notifies can’t be loaded', async () => {
    await page.route('**/notify-*', (route) => route.abort())
    // The browser says so later than the request fails.
    const refused = page.waitForEvent('console', (told) => told.location().url.includes('/notify-'))
    const other = await page.context().newPage()
    await other.goto(chat.stack.url)
    await message(other).waitFor()
    await write(other, 'Invite ada@example.com')
    await refused
    await expect.poll(() => page.title()).toMatch(/^\(1\)/)
    await page.goto('about:blank')
    expect(browser.complaints().filter(({ status }) => status === undefined)).toEqual([])
  })
})
