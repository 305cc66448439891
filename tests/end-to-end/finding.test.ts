import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll, smallTargets } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { storeLongConversation } from '../../support/long-conversation.ts'
import { say } from '../../support/model-reply.ts'
import { storeConversations } from '../../support/stored-conversations.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

describe.skipIf(!chromiumPath)('finding conversations in a browser', () => {
  beforeAll(async () => {
    chat.model.use(() => say('Here you are.'))
    await storeLongConversation(chat.stack, 130)
    await storeConversations(chat.stack, 230)
    page = await openDemo(browser, chat.stack.url)
  })

  const list = () => page.getByRole('region', { name: 'Conversations' })
  const search = () => page.getByRole('searchbox', { name: 'Search conversations' })
  const row = (title: string) =>
    list()
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${title}$`) })
  const open = async (title: string, what: string) => {
    await row(title).hover()
    await row(title).getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: what, exact: true }).click()
  }
  const log = () => page.getByRole('log', { name: 'Conversation' })

  it('finds last month’s conversation by a word in it', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('marmal')
    const result = list().getByRole('link', { name: /Talk number 230/ })
    // What was found for the letters before stays until the next is found.
    await expect.poll(() => result.locator('mark').allInnerTexts()).toEqual(['marmal'])
    expect(await list().getByRole('listitem').count()).toBe(1)
    expect(await result.innerText()).toContain('Cook the <b>marmalade</b> slowly')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await log().getByText('with two oranges').waitFor()
    expect(new URL(page.url()).pathname).toBe('/chat/talk-230')
    await search().fill('marmalade nowhere')
    await list().getByText('No results for “marmalade nowhere”.').waitFor()
    await search().fill('')
    await row('Talk number 1').waitFor()
  })

  it('opens the only result with Enter, even if pressed before it is found, and goes to the first of several', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'))
    await search().fill('')
    await page.keyboard.type('talk')
    await list().locator('mark').first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Talk number 1')
    await search().focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('oranges')
    await page.keyboard.press('Enter')
    await log().getByText('with two oranges').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Message')
    await search().fill('talk nowhere')
    await page.keyboard.press('Enter')
    await list().getByText('No results for “talk nowhere”.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/chat/talk-230')
    await search().fill('')
    // A page without a message box has nowhere to leave the focus.
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    await search().focus()
    await page.keyboard.type('oranges')
    await page.keyboard.press('Enter')
    await log().getByText('with two oranges').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Message')
    await search().fill('')
  })

  it('searches anew with Ctrl+K, goes back with Escape, and ends with a new chat', async () => {
    const focused = () =>
      page.evaluate(() => {
        const { title = '', id = '', ariaLabel = '' } = (document.activeElement ?? {}) as HTMLElement
        return title || id || ariaLabel
      })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('marmalade')
    const result = list().getByRole('link', { name: /Talk number 230/ })
    await result.waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('talk')
    expect(await search().inputValue()).toBe('talk')
    await list().locator('mark', { hasText: 'Talk' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toMatch(/^Talk number/)
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('search-conversations')
    await page.keyboard.press('Escape')
    expect(await search().inputValue()).toBe('')
    expect(await focused()).toBe('search-conversations')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Message')
    await search().fill('oranges')
    await result.press('Enter')
    await log().getByText('with two oranges').waitFor()
    // It may not be the one.
    expect(await search().inputValue()).toBe('oranges')
    for (const begin of [
      () => page.keyboard.press('Control+Shift+o'),
      () => page.getByRole('button', { name: 'New chat' }).click(),
      () => page.getByRole('link', { name: 'Chat', exact: true }).click(),
    ]) {
      await search().fill('oranges')
      await result.waitFor()
      await begin()
      await row('Talk number 1').waitFor()
      expect(await search().inputValue()).toBe('')
    }
  })

  it('shows in the list which conversation is open, without taking the focus', async () => {
    await page.goto(`${chat.stack.url}/chat/talk-25`)
    await log().getByText('nothing to say about it').waitFor()
    const isInView = () =>
      row('Talk number 25').evaluate((one) => {
        const { left, top, bottom } = one.getBoundingClientRect()
        return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(left + 20, y)))
      })
    await expect.poll(isInView).toBe(true)
    expect(await row('Talk number 25').evaluate((one) => one.contains(document.activeElement))).toBe(false)
  })

  it('leads from a word to the message that holds it, also far up in a long conversation', async () => {
    await page.evaluate(() => {
      const { animate } = Element.prototype
      const marked: Element[] = Object.assign(window, { marked: [] }).marked
      Element.prototype.animate = function (...given) {
        marked.push(this)
        return animate.apply(this, given)
      }
    })
    const leadsTo = async (question: string) => {
      await search().fill(question)
      await list().getByRole('listitem').filter({ hasText: question }).getByRole('link').click()
      const message = log().getByText(question)
      await message.waitFor()
      await expect
        .poll(() =>
          message.evaluate((one) => {
            const { left, top } = one.getBoundingClientRect()
            return one.contains(document.elementFromPoint(left + 4, top + 4))
          }),
        )
        .toBe(true)
      // It is marked for a moment.
      const isMarked = (one: Element) =>
        (window as never as { marked: Element[] }).marked.some((marked) => marked.contains(one))
      await expect.poll(() => message.evaluate(isMarked)).toBe(true)
    }
    await leadsTo('Question 129:')
    await leadsTo('Question 77:')
    // From another conversation, with nothing of this one loaded.
    await search().fill('oranges')
    await list()
      .getByRole('link', { name: /Talk number 230/ })
      .click()
    await log().getByText('with two oranges').waitFor()
    await leadsTo('Question 55:')
    // An address that somebody else has written breaks nothing.
    await page.goto(`${chat.stack.url}/chat/talk-230#message-%E0`)
    await log().getByText('with two oranges').waitFor()
    await search().fill('')
  })

  it('is one stop of the Tab key, with arrows from row to row and to their menus', async () => {
    const named = () =>
      page.evaluate(() => document.activeElement?.getAttribute('title') ?? document.activeElement?.ariaLabel)
    const press = (key: string) => page.keyboard.press(key)
    const rows = list().getByRole('listitem').getByRole('link')
    const titles = await Promise.all([0, 1, 2].map((at) => rows.nth(at).getAttribute('title')))
    await page.getByRole('link', { name: 'Archived' }).focus()
    await press('Tab')
    await press('Home')
    expect(await named()).toBe(titles[0])
    await press('ArrowDown')
    await press('ArrowDown')
    expect(await named()).toBe(titles[2])
    await press('ArrowUp')
    expect(await named()).toBe(titles[1])
    await press('ArrowRight')
    expect(await named()).toBe('Options')
    await press('Enter')
    await page.getByRole('menu').waitFor()
    await press('ArrowDown')
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(named).toBe('Options')
    await press('ArrowLeft')
    expect(await named()).toBe(titles[1])
    // Out of it, and back to where one was.
    await press('Tab')
    expect(
      await list()
        .getByRole('listitem')
        .evaluateAll((items) => items.some((one) => one.contains(document.activeElement))),
    ).toBe(false)
    await press('Shift+Tab')
    expect(await named()).toBe(titles[1])
    expect(await findBarriers(page)).toEqual([])
    // It goes with the open conversation.
    await press('Home')
    await press('Enter')
    await list().locator(`[aria-current=page][title="${titles[0]}"]`).waitFor()
    await search().focus()
    await press('ArrowDown')
    await press('ArrowDown')
    await press('Enter')
    await list().locator(`[aria-current=page][title="${titles[1]}"]`).waitFor()
    await page.goBack()
    await list().locator(`[aria-current=page][title="${titles[0]}"]`).waitFor()
    await search().focus()
    await press('ArrowDown')
    expect(await named()).toBe(titles[0])
  })

  it('reaches the oldest conversation by scrolling', async () => {
    const oldest = row('Talk number 230')
    await expect
      .poll(
        async () => {
          await list().getByRole('listitem').last().scrollIntoViewIfNeeded()
          return oldest.count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    // The long one and all others, each once.
    expect(await list().getByRole('listitem').count()).toBe(231)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it('pins, archives and restores, and leaves the keyboard where the conversation is', async () => {
    await open('Talk number 40', 'Pin')
    await list().getByRole('heading', { name: 'Pinned' }).waitFor()
    expect(await list().getByRole('listitem').first().innerText()).toContain('Talk number 40')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('options-talk-40')
    await open('Talk number 40', 'Unpin')
    await expect.poll(() => list().getByRole('heading', { name: 'Pinned' }).count()).toBe(0)
    await open('Talk number 3', 'Archive')
    await expect.poll(() => row('Talk number 3').count()).toBe(0)
    await page.getByRole('link', { name: 'Archived' }).click()
    await page.getByRole('heading', { name: 'Archived', level: 1 }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Talk number 3' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await search().fill('"number 3"')
    await list()
      .getByText(/· Archived/)
      .waitFor()
    await search().fill('')
    await page.getByRole('button', { name: 'Restore Talk number 3' }).click()
    await page.getByText('No archived conversations.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await row('Talk number 3').waitFor()
  })

  it('loads earlier messages while one scrolls up, without a jump', async () => {
    await page.goto(`${chat.stack.url}/chat/long`)
    await log().getByText('Question 130:').waitFor()
    const scroller = page.locator('.askback-chat-scroll')
    const messages = page.locator('[data-message]')
    await expect.poll(() => messages.count()).toBe(100)
    await expect.poll(() => log().getAttribute('aria-busy')).toBe('false')
    // All in view at once: where each message stands from one picture to the next is noted.
    await page.evaluate(() => {
      const scroller = [...document.querySelectorAll('.askback-chat-scroll')]
        .flatMap((one) => [one, ...one.querySelectorAll('*')])
        .find((one) => /auto|scroll/.test(getComputedStyle(one).overflowY)) as HTMLElement
      const state = window as never as { jumps: number[]; scroller: HTMLElement }
      state.jumps = []
      state.scroller = scroller
      let last: { message: Element; top: number; scrolled: number } | undefined
      const look = () => {
        const edge = scroller.getBoundingClientRect()
        const message = [...document.querySelectorAll('[data-message]')].find(
          (one) => one.getBoundingClientRect().bottom > edge.top + edge.height / 2,
        )
        if (last?.message.isConnected && document.querySelectorAll('[data-message]').length !== last.scrolled)
          state.jumps.push(Math.abs(last.message.getBoundingClientRect().top - last.top))
        last = message
          ? {
              message,
              top: message.getBoundingClientRect().top,
              scrolled: document.querySelectorAll('[data-message]').length,
            }
          : undefined
        requestAnimationFrame(look)
      }
      look()
    })
    expect(await scroller.count()).toBe(1)
    await page.evaluate(() => (window as never as { scroller: HTMLElement }).scroller.scrollTo({ top: 600 }))
    await expect.poll(() => messages.count(), { timeout: 10_000 }).toBeGreaterThan(100)
    await expect.poll(() => log().getAttribute('aria-busy')).toBe('false')
    // The next picture notes them, and it may come late.
    const jumps = () => page.evaluate(() => (window as never as { jumps: number[] }).jumps)
    await expect.poll(async () => (await jumps()).length).toBeGreaterThan(0)
    expect(Math.max(...(await jumps()))).toBeLessThan(3)
    await expect
      .poll(
        async () => {
          await page.evaluate(() =>
            (window as never as { scroller: HTMLElement }).scroller.scrollTo({ top: 0 }),
          )
          return messages.count()
        },
        { timeout: 20_000 },
      )
      .toBe(260)
    await log().getByText('Question 1:').waitFor()
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).count()).toBe(0)
    // What is said next stands at the end, and what was loaded stays.
    await page.getByRole('textbox', { name: 'Message' }).fill('One more')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await log().getByText('Here you are.').waitFor()
    await expect.poll(() => messages.count()).toBe(262)
  })

  it('turns the pages of a conversation from its empty message box, and from what was found', async () => {
    const message = page.getByRole('textbox', { name: 'Message' })
    const newest = page.getByRole('button', { name: 'Newest message' })
    await page.goto(`${chat.stack.url}/chat/long`)
    await log().getByText('Question 130:').waitFor()
    await expect.poll(() => log().getAttribute('aria-busy')).toBe('false')
    await message.press('PageUp')
    await newest.waitFor()
    await message.press('PageDown')
    await message.press('PageDown')
    await newest.waitFor({ state: 'detached' })
    // A text has pages of its own.
    await message.fill('Two\nlines')
    await message.press('PageUp')
    expect(await newest.count()).toBe(0)
    // Whoever writes from further up sees it.
    await message.fill('')
    await message.press('PageUp')
    await newest.waitFor()
    await message.fill('Seen from here?')
    await message.press('Enter')
    await newest.waitFor({ state: 'detached' })
    await log().getByText('Seen from here?').waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('Seen from here')
    await page.getByRole('link', { name: /Seen from here/ }).press('PageUp')
    await newest.waitFor()
  })

  it('says when a message was written', async () => {
    await page.goto(`${chat.stack.url}/chat/talk-230`)
    await log().getByText('with two oranges').waitFor()
    const times = log().locator('time.askback-message-time')
    expect(await times.count()).toBe(2)
    const written = new Date((await times.first().getAttribute('datetime')) ?? '')
    expect((Date.now() - written.getTime()) / (24 * 3_600_000)).toBeCloseTo(30, 1)
    expect(await times.first().innerText()).toContain(
      written.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' }),
    )
    await page.getByRole('textbox', { name: 'Message' }).fill('And lemons?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await log().getByText('Here you are.').waitFor()
    await expect.poll(() => times.count()).toBe(4)
    expect(await times.last().innerText()).toMatch(/^\d\d:\d\d$/)
    expect(await findBarriers(page)).toEqual([])
  })

  it('exports a whole conversation as Markdown', async () => {
    const download = page.waitForEvent('download')
    await open('A long conversation', 'Export')
    const file = await download
    expect(file.suggestedFilename()).toBe('A long conversation.md')
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toMatch(/^# A long conversation\n\n## You · \d+ \w+ \d{4} at \d\d:\d\d\n\nQuestion 1: /)
    expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(260)
    expect(text).toContain('\n\n> Send email')
  })

  it('is usable on a phone, in light and in dark', async () => {
    for (const dark of [false, true]) {
      const phone = await browser.open(chat.stack.url, { width: 360, height: 740, dark })
      await phone.getByRole('button', { name: 'Try the demo' }).click()
      await phone.getByRole('button', { name: 'Menu' }).click()
      // Each press is seen, and leads back to the device's own look.
      const theme = phone.getByRole('button', { name: /^Theme: / })
      const look = async () => [
        await phone.evaluate(() => getComputedStyle(document.body).backgroundColor),
        await theme.innerText(),
        await theme.locator('svg').innerHTML(),
      ]
      const before = await look()
      await theme.click()
      const after = await look()
      expect(after[1]).toBe(`Theme: ${dark ? 'light' : 'dark'}`)
      expect(after.filter((one, at) => one === before[at])).toEqual([])
      await theme.click()
      expect(await look()).toEqual(before)
      await phone.getByRole('searchbox', { name: 'Search conversations' }).fill('oranges')
      const result = phone.getByRole('link', { name: /Talk number 230/ })
      await result.waitFor()
      expect(await findBarriers(phone)).toEqual([])
      expect(await sidewaysScroll(phone)).toBe(0)
      await result.click()
      await phone.getByText('with two oranges').waitFor()
      // It may not be the one.
      await phone.getByRole('button', { name: 'Menu' }).click()
      await result.waitFor()
      await phone.context().close()
    }
  })

  it('leads a finger to what was found before, again and again, and back to all conversations', async () => {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, touch: true })
    await phone.getByRole('button', { name: 'Try the demo' }).tap()
    const menu = phone.getByRole('button', { name: 'Menu' })
    const drawer = phone.getByRole('dialog', { name: 'Menu' })
    const result = drawer.getByRole('listitem').getByRole('link')
    const message = phone.getByRole('log').getByText('Question 120:')
    const isInSight = () =>
      message.evaluate((one) => {
        const { left, top } = one.getBoundingClientRect()
        return one.contains(document.elementFromPoint(left + 4, top + 4))
      })
    await menu.tap()
    await drawer.getByRole('searchbox').fill('Question 120:')
    for (let times = 0; times < 3; times++) {
      if (times > 0) {
        const scroller = phone.locator('.askback-chat-scroll > div').first()
        await expect
          .poll(async () => {
            await scroller.evaluate((one) => {
              dispatchEvent(new Event('touchmove'))
              one.scrollTo(0, one.scrollHeight)
            })
            return isInSight()
          })
          .toBe(false)
        await menu.tap()
      }
      await result.locator('mark').first().waitFor()
      await result.tap()
      await drawer.waitFor({ state: 'detached' })
      await message.waitFor()
      await expect.poll(isInSight).toBe(true)
    }
    await menu.tap()
    await result.waitFor()
    const middles = await Promise.all(
      [drawer.locator('.brand'), drawer.getByRole('button', { name: 'Close menu' })].map((one) =>
        one.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return (top + bottom) / 2
        }),
      ),
    )
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(1)
    expect(await smallTargets(phone, 44)).toEqual([])
    expect(await findBarriers(phone)).toEqual([])
    await drawer.getByRole('button', { name: 'Clear search' }).tap()
    await drawer.getByRole('link', { name: 'Talk number 1', exact: true }).waitFor()
    expect(await drawer.getByRole('searchbox').inputValue()).toBe('')
  })
})
