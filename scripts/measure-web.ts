/**
 * `npm run measure:web`: how fast and how steady the web app is, as a Markdown table: in Chromium, against a local stack
 * with a scripted model. Tasks of the page are those that its browser reports as long (50 ms and more).
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type ChatStack, startChatStack } from '../tests/support/chat-stack.ts'
import { makeAnswer, storeLongConversation } from '../tests/support/long-conversation.ts'
import { say } from '../tests/support/model-reply.ts'
import { chromiumPath } from './chromium.ts'

const turns = 500
const loads = 5
/** As Chromium's developer tools have them: https://chromium.googlesource.com/devtools/devtools-frontend, NetworkManager.ts. */
const slow3g = { offline: false, latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 }

if (chromiumPath === undefined) throw new Error('There is no Chromium here. Name one in CHROMIUM_PATH.')
const chat = await startChatStack()
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
try {
  // In pieces and with pauses, as models write.
  const answer = Array.from({ length: 12 }, (_, index) => makeAnswer(index)).join('\n\n')
  chat.model.use(() => say(answer, { pauseMs: 15, fragments: { size: 24 } }))
  await storeLongConversation(chat.stack, turns)
  const rows = [
    ...(await measureFirstPage(browser, chat)),
    ...(await measureLongConversation(browser, chat)),
    ...(await measureSlowNetwork(browser, chat)),
  ]
  console.log(`Chromium ${browser.version()}\n\n| what | measured | goal |\n|---|---|---|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
} finally {
  await browser.close()
  await chat.stop()
}
process.exit()

type Row = [what: string, measured: string, goal: string]

async function measureFirstPage(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const paints: number[] = []
  let bytes = 0
  for (let load = 0; load < loads; load++) {
    const page = await openPage(await browser.newContext())
    let loaded = 0
    page.on('response', async (response) => {
      if (response.request().resourceType() === 'script')
        loaded += (await response.request().sizes()).responseBodySize
    })
    await page.goto(chat.stack.url)
    await signIn(page)
    await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
    await page.waitForLoadState('networkidle')
    bytes = loaded
    await page.reload()
    await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
    paints.push(await firstPaint(page))
    await page.context().close()
  }
  return [
    ['JavaScript of the first page, compressed', `${(bytes / 1024).toFixed(1)} KiB`, '180 KiB'],
    [`first contentful paint, median of ${loads}`, `${median(paints).toFixed(0)} ms`, '1,000 ms'],
  ]
}

async function measureLongConversation(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await openPage(context)
  await page.goto(chat.stack.url)
  await signIn(page)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  const goal = '100 ms'
  const row = async (what: string): Promise<Row> => [`${what}: longest task`, await longestTask(page), goal]

  const began = Date.now()
  await page.goto(`${chat.stack.url}/chat/long`)
  await page.getByText(`Answer ${turns}.`).waitFor()
  const newest = Date.now() - began
  await page.waitForFunction((count) => document.querySelectorAll('article').length === count, 2 * turns)
  const all = Date.now() - began
  const rows: Row[] = [
    [`${2 * turns} messages: the newest can be read after`, `${newest} ms`, '–'],
    ['all of them are there after', `${all} ms`, '–'],
    await row('while it opens'),
  ]
  await page.mouse.move(700, 300)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, -1500)
    await nextFrame(page)
  }
  rows.push(await row('while it is scrolled'))
  await page
    .getByRole('textbox', { name: 'Message' })
    .pressSequentially('Something longer that is typed. '.repeat(3))
  rows.push(await row('while somebody types'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 })
  rows.push(await row('while an answer is written'))
  rows.push(['layout shift while an answer is written', (await layoutShift(page)).toFixed(3), '0'])
  await context.close()
  return rows
}

async function measureSlowNetwork(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const page = await openPage(await browser.newContext())
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow3g)
  page.setDefaultTimeout(120_000)
  await page.goto(chat.stack.url)
  await page.getByRole('button', { name: 'Try the demo' }).waitFor()
  const paint = await firstPaint(page)
  await signIn(page)
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell me more')
  await page.keyboard.press('Enter')
  // How much of the answer stands there, each time it is drawn.
  await page.evaluate(() => {
    const lengths = new Set<number>()
    ;(window as unknown as { lengths: Set<number> }).lengths = lengths
    new MutationObserver(() => {
      const text = document.querySelector('article[data-role=assistant] .askback-text')?.textContent ?? ''
      if (text !== '') lengths.add(text.length)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await page.getByText('Answer 12.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  const pieces = await page.evaluate(() => (window as unknown as { lengths: Set<number> }).lengths.size)
  await page.context().close()
  return [
    ['slow 3G: first contentful paint', `${(paint / 1000).toFixed(1)} s`, '–'],
    ['slow 3G: an answer is drawn in', `${pieces} pieces`, 'many'],
  ]
}

interface Watched {
  longTasks: number[]
  shifts: number
}

/** A page that notes its long tasks and what moves without anybody's doing. */
async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const watched: Watched = { longTasks: [], shifts: 0 }
    ;(window as unknown as { watched: Watched }).watched = watched
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longTasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) watched.shifts += entry.value
    }).observe({ type: 'layout-shift', buffered: false })
  })
  return page
}

/** Since the last time it was asked. */
async function longestTask(page: Page): Promise<string> {
  await nextFrame(page)
  const tasks = await page.evaluate(() =>
    (window as unknown as { watched: Watched }).watched.longTasks.splice(0),
  )
  if (tasks.length === 0) return 'none over 50 ms'
  return `${Math.max(...tasks).toFixed(0)} ms (${tasks.length} over 50 ms)`
}

async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { watched: Watched }).watched.shifts)
}

async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo' }).click()
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
