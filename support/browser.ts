import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { chromiumPath } from '../scripts/chromium.ts'

export { chromiumPath }

/** For one step of a person; a busy machine needs many times what an idle one does. */
const actionTimeoutMs = 30_000
/** For a page: its app may be built first. */
const navigationTimeoutMs = 90_000

/** What a page or its browser complained about. The words are the browser's own: no test may depend on them. */
export interface Complaint {
  text: string
  /** Of a request that failed: what was answered, or 0 when nothing was. */
  status?: number
}

interface PageOptions {
  width?: number
  height?: number
  dark?: boolean
  /** It is touched, as phones are. */
  touch?: boolean
  /** The language and the time zone of its user. */
  locale?: string
  timezoneId?: string
}

/** Pages of a browser, and everything that they complained about. */
export interface TestBrowser {
  /** A page of its own context: nobody is signed in. What a test opens is closed with it, also when it has failed. */
  open(url: string, options?: PageOptions): Promise<Page>
  /** What stood in any console, was thrown, or was kept back by the Content-Security-Policy; empties the list. */
  complaints(): Complaint[]
  close(): Promise<void>
}

/** One for all files of a worker, with which it ends: what belongs to a test is a context. */
let running: Promise<Browser> | undefined

export async function startBrowser(): Promise<TestBrowser> {
  running ??= chromium.launch({
    executablePath: chromiumPath ?? '',
    // Root in a container has no sandbox of its own.
    args: ['--no-sandbox'],
  })
  const browser = await running
  const contexts: BrowserContext[] = []
  const complaints: { text: string; url?: string }[] = []
  /** By address: what became of requests that failed. */
  const failed = new Map<string, number>()
  return {
    async open(
      url,
      { width = 1280, height = 800, dark = false, touch = false, locale = 'en-GB', timezoneId } = {},
    ) {
      const context: BrowserContext = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        hasTouch: touch,
        isMobile: touch,
        locale,
        ...(timezoneId ? { timezoneId } : {}),
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      if (TestRunner.getCurrentTest()) onTestFinished(() => context.close())
      context.setDefaultTimeout(actionTimeoutMs)
      context.setDefaultNavigationTimeout(navigationTimeoutMs)
      // What a library catches stands in no console. What is in a closed shadow root is found by nothing else.
      await context.exposeBinding('keptBack', ({ frame }, what: string) => {
        if (frame.parentFrame() === null) complaints.push({ text: `kept back by the policy: ${what}` })
      })
      await context.addInitScript(`
        addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
          keptBack(effectiveDirective + ' ' + blockedURI))
        globalThis.shadowRoots = []
        const { attachShadow } = Element.prototype
        Element.prototype.attachShadow = function (options) {
          const root = attachShadow.call(this, options)
          shadowRoots.push(root)
          dispatchEvent(new CustomEvent('shadowroot', { detail: root }))
          return root
        }`)
      const page = await context.newPage()
      const origin = url === 'about:blank' ? '' : new URL(url).origin
      page.on('console', (message) => {
        // A provider's page, like that of a simulated Google, is its own affair.
        const { url } = message.location()
        const isOurs = url.startsWith(origin)
        if (isOurs && ['error', 'warning'].includes(message.type()))
          complaints.push({ text: message.text(), url })
      })
      page.on('pageerror', (error) => complaints.push({ text: String(error) }))
      // An answer that nobody has read to its end has failed as well: its status is known by then.
      page.on('requestfailed', (request) => {
        if (!failed.has(request.url())) failed.set(request.url(), 0)
      })
      page.on('response', (response) => {
        if (response.status() >= 400) failed.set(response.url(), response.status())
      })
      await page.goto(url)
      return page
    },
    complaints: () =>
      complaints.splice(0).map(({ text, url = '' }) => {
        const status = failed.get(url)
        return status === undefined ? { text } : { text, status }
      }),
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  }
}

/** Opens a stack as its demo user, at a new chat. */
export async function openDemo(browser: TestBrowser, url: string, options?: PageOptions): Promise<Page> {
  const page = await browser.open(url, options)
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return page
}

/**
 * Waits until nothing moves and the cards take presses. A click that comes too early is tried again, after scrolling the
 * page this way and that; what the page does about that can carry it past what it was aimed at.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  )
}

/** What axe finds on a page, a line for each element. Its own script is let in past the page's policy. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (): Promise<axe.Result[]> => {
    let hasMoved = false
    const note = () => {
      hasMoved = true
    }
    for (const event of ['animationstart', 'transitionrun']) addEventListener(event, note, true)
    const listEnding = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    // What is still fading in, or begins to while axe looks, has no contrast of its own yet.
    for (;;) {
      hasMoved = false
      await Promise.allSettled(listEnding().map(({ finished }) => finished))
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
      })
      // What has only just begun has told nobody yet.
      if (violations.length === 0 || (!hasMoved && listEnding().length === 0)) return violations
    }
  })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/**
 * What is pressed or filled in on a page, and is smaller than so many pixels, a line for each. A link in a sentence has
 * the size of its words.
 */
export async function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((least) => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=menuitem]',
    )
    return [...all].flatMap((element) => {
      const { display, clipPath } = getComputedStyle(element)
      const isBox = element.matches('[type=checkbox], [type=radio]')
      const label = isBox ? (element as HTMLInputElement).labels?.[0] : undefined
      const { width, height } = (label ?? element).getBoundingClientRect()
      const isSeen = width > 0 && height > 0 && clipPath === 'none'
      const isWord = element.matches('a') && display === 'inline'
      if (!isSeen || isWord || (width > least - 0.5 && height > least - 0.5)) return []
      return [`${element.outerHTML.slice(0, 100)} ${Math.round(width)}x${Math.round(height)}`]
    })
  }, least)
}

/** Gives the page another size, in pixels. What it shows instead at that size is there only after its next frame. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** How many pixels a page could be scrolled down as a whole, with what stands beside its content. */
export async function downwardScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight)
}

/** How many pixels a page could be scrolled sideways. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
