import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What other browsers do differently from Chromium, which is made to do it here.

const [browser, chat] = useBrowser(() => startChatStack())

/** A page that isn't opened yet, so that the browser can be changed first. */
const blank = (locale?: string): Promise<Page> =>
  browser.open('about:blank', locale === undefined ? {} : { locale })

describe.skipIf(!chromiumPath)('other browsers', () => {
  beforeAll(async () => {
    chat.model.use(() => say('Here I am.'))
  })

  it('may name a language that isn’t one: the page speaks English', async () => {
    const page = await blank()
    await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { get: () => ['C'] }))
    await page.goto(chat.stack.url)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await messageBox(page).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('en')
  })

  it('may refuse to store anything: the page says what it needs, also in German', async () => {
    for (const [locale, needed] of [
      ['en-GB', 'Askback needs cookies to keep you signed in.'],
      ['de-DE', 'Askback braucht den Speicher dieser Website (Cookies), damit du angemeldet bleibst.'],
    ]) {
      const page = await blank(locale)
      await page.addInitScript(() => {
        const get = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        }
        for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
      })
      await page.goto(chat.stack.url)
      await page
        .getByRole('alert')
        .getByText(needed ?? '')
        .waitFor()
    }
  })

  it('may fail to load the app: after a while the page offers to load it again', async () => {
    const page = await blank()
    const scripts = '**/assets/react-*.js'
    await page.route(scripts, (route) => route.abort())
    await page.goto(chat.stack.url)
    const again = page.getByRole('link', { name: 'reload the page' })
    expect(await again.isVisible()).toBe(false)
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation instanceof CSSAnimation && animation.animationName === 'late') animation.finish()
    })
    await page.unroute(scripts)
    await again.click()
    await page.getByRole('button', { name: 'Try the demo' }).waitFor()
    for (const { status } of browser.complaints()) expect(status).toBe(0)
  })

  it('may leave it to the page to make the message box grow with its text', async () => {
    const page = await blank()
    await page.addInitScript(() => {
      CSS.supports = (property: string) => property !== 'field-sizing'
      document.addEventListener('DOMContentLoaded', () => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('textarea { field-sizing: fixed !important }')
        document.adoptedStyleSheets.push(sheet)
      })
    })
    await page.goto(chat.stack.url)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    const box = messageBox(page)
    await box.waitFor()
    const height = () => box.evaluate(({ clientHeight }) => clientHeight)
    const one = await height()
    await box.fill('One\nTwo\nThree')
    expect(await height()).toBeGreaterThan(2 * one)
    expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    await box.fill('One\n'.repeat(100))
    expect(await height()).toBe(0.4 * 800)
    await box.fill('')
    expect(await height()).toBe(one)
    await write(page, 'One\n\n'.repeat(50))
    await page.getByText('Here I am.').waitFor()
    // What has been read to its end stays there while more is typed below it.
    const rest = () =>
      page
        .locator('.askback-chat-scroll > div')
        .first()
        .evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop)
    await expect.poll(rest).toBeLessThan(2)
    await box.fill('One\nTwo')
    await expect.poll(rest).toBeLessThan(2)
    await box.press('End')
    await box.pressSequentially(' and three')
    await expect.poll(rest).toBeLessThan(2)
  })

  it('may force its own colours: what only a background tells apart is still seen', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await page.emulateMedia({ forcedColors: 'active' })
    await write(page, 'Are you there?')
    await page.getByText('Here I am.').waitFor()
    const bubble = page.getByRole('article', { name: 'You' }).locator('.askback-text')
    const edge = (box: Locator) =>
      box.evaluate((box) => `${getComputedStyle(box).borderTopWidth} ${getComputedStyle(box).outlineStyle}`)
    await expect(edge(bubble)).resolves.toMatch(/^1px/)
    await page.goto(`${chat.stack.url}/insights`)
    await expect(edge(page.getByRole('button', { name: '30 days', pressed: true }))).resolves.toMatch(
      /solid$/,
    )
    await expect(edge(page.getByRole('button', { name: '7 days' }))).resolves.toMatch(/none$/)
    const chart = page.locator('.chart-place canvas').first()
    const accent = await chart.evaluate((canvas) => {
      canvas.style.color = 'var(--accent)'
      return getComputedStyle(canvas).color
    })
    expect(accent).toBe('rgb(11, 110, 79)')
  })

  it('may say only by the key’s code that Enter ends a word: nothing is sent', async () => {
    const page = await openDemo(browser, chat.stack.url)
    const box = messageBox(page)
    await box.fill('にほん')
    // Chromium cannot type it: Safari ends the composition before it tells of the key.
    const goesOn = await box.evaluate((box) =>
      box.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
    )
    expect(goesOn).toBe(true)
    expect(await box.inputValue()).toBe('にほん')
  })
})
