/**
 * `npm run lab -- measure:web`: how fast and how steady the web app is, as a Markdown table for docs/measurements.md: in Chromium,
 * against a local stack with a scripted model. Tasks of the page are those that its browser reports as long (50 ms and more), by the clock, and
 * the longest of them by the time that a processor was at work for it: on a busy machine these two differ.
 */
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { chromiumPath } from '../../scripts/chromium.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { makeAnswer, storeLongConversation } from '../../support/long-conversation.ts'
import { say } from '../../support/model-reply.ts'
import { writeMeasured } from '../measured.ts'

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
    ...(await measureLongOutput(browser, chat)),
    ...(await measureSlowNetwork(browser, chat)),
  ]
  const table = [
    '| what | measured | goal |',
    '|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ]
  const measured = `Chromium ${browser.version()}\n\n${table.join('\n')}`
  console.log(measured)
  await writeMeasured('npm run lab -- measure:web', measured)
} finally {
  await browser.close()
  await chat.stop()
}
process.exit()

type Row = [what: string, measured: string, goal: string]

async function measureFirstPage(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const paints: number[] = []
  const readies: number[] = []
  let bytes = { first: 0, all: 0 }
  for (let load = 0; load < loads; load++) {
    const page = await openPage(await browser.newContext())
    await page.goto(chat.stack.url)
    await signIn(page)
    await composer(page).waitFor()
    await page.reload()
    await composer(page).waitFor()
    readies.push(await composerTime(page))
    paints.push(await firstPaint(page))
    await page.waitForLoadState('networkidle')
    bytes = await countScripts(page)
    await page.context().close()
  }
  return [
    ['JavaScript until the composer takes text, compressed', inKib(bytes.first), '130 KiB'],
    ['JavaScript of the first page in all', inKib(bytes.all), '180 KiB'],
    [`first contentful paint, median of ${loads}`, `${median(paints).toFixed(0)} ms`, '1,000 ms'],
    [
      `time until the composer takes text, median of ${loads}`,
      `${median(readies).toFixed(0)} ms`,
      '1,000 ms',
    ],
  ]
}

async function measureLongConversation(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await openPage(context)
  await page.goto(chat.stack.url)
  await signIn(page)
  await composer(page).waitFor()
  const rows: Row[] = []
  const during = async (what: string, work: () => Promise<void>) => {
    const readWork = await traceWork(page)
    await work()
    await nextFrame(page)
    rows.push([`longest task while ${what}`, `${await longestTask(page)}, ${await readWork()}`, '100 ms'])
  }

  const began = Date.now()
  await during('it opens', async () => {
    await page.goto(`${chat.stack.url}/chat/long`)
    await page.waitForSelector('article[data-role=assistant] .askback-text p')
    rows.push([`${2 * turns} messages: time until the newest can be read`, `${Date.now() - began} ms`, '–'])
  })
  await page.mouse.move(700, 300)
  // The earlier ones are loaded a hundred at a time.
  await during('it is scrolled to its beginning', async () => {
    const count = () => page.locator('article').count()
    while ((await count()) < 2 * turns) {
      await page.mouse.wheel(0, -1500)
      await nextFrame(page)
    }
  })
  await page.focus('.askback-composer textarea')
  await during('somebody types', () => page.keyboard.type('Something longer that is typed. '.repeat(3)))
  await layoutShift(page)
  await during('an answer is written', async () => {
    await page.keyboard.press('Enter')
    // By selectors: looking for roles among so many messages is long work for the page, too.
    await page.waitForSelector('.askback-composer button[type=submit]', { state: 'detached' })
    await page.waitForSelector('.askback-composer button[type=submit]', { timeout: 60_000 })
  })
  rows.push(['layout shift while an answer is written', (await layoutShift(page)).toFixed(3), '0'])
  await context.close()
  return rows
}

async function measureLongOutput(browser: Browser, chat: ChatStack): Promise<Row[]> {
  await withDatabase(chat.stack, (sql) =>
    sql.unsafe(`
      create function public.list_lines() returns text language sql stable
        begin atomic select repeat(E'A line of a long output.\\n', 80000); end;
      select askback.offer_function('list_lines', title => 'List lines')`),
  )
  const page = await openPage(await browser.newContext())
  await page.goto(chat.stack.url)
  await signIn(page)
  await composer(page).waitFor()
  await page.goto(`${chat.stack.url}/agents`)
  await page.getByRole('button', { name: /^Try it\s?: List lines$/ }).click()
  const run = page.getByRole('form', { name: 'Try List lines' }).getByRole('button', { name: 'Run' })
  await run.waitFor()
  await page.waitForLoadState('networkidle')
  await longestTask(page)
  const readWork = await traceWork(page)
  await run.click()
  const output = page.locator('.askback-output')
  const more = output.getByRole('button', { name: 'Show more' })
  await more.waitFor()
  for (let step = 0; step < 5; step++) {
    await more.click()
    await nextFrame(page)
  }
  const measured = `${await longestTask(page)}, ${await readWork()}`
  await page.context().close()
  return [['longest task while an output of 2 MB arrives and is unfolded', measured, '50 ms']]
}

async function measureSlowNetwork(browser: Browser, chat: ChatStack): Promise<Row[]> {
  const page = await openPage(await browser.newContext())
  page.setDefaultTimeout(120_000)
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow3g)
  await page.goto(chat.stack.url)
  await page.getByRole('button', { name: 'Try the demo' }).waitFor()
  const signInAfter = await page.evaluate(() => performance.now())
  const paint = await firstPaint(page)
  await signIn(page)
  await composer(page).waitFor()
  // Signed in, as if for the first time in a while.
  await network.send('Network.clearBrowserCache')
  await page.goto(chat.stack.url)
  await composer(page).waitFor()
  const usableAfter = await composerTime(page)
  await composer(page).fill('Tell me more')
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
    ['slow 3G: first contentful paint', inSeconds(paint), '–'],
    ['slow 3G, nothing cached: time until sign-in is possible', inSeconds(signInAfter), '8 s'],
    ['slow 3G, nothing cached, signed in: time until the composer takes text', inSeconds(usableAfter), '8 s'],
    ['slow 3G: an answer is drawn in', `${pieces} pieces`, 'many'],
  ]
}

interface Watched {
  longTasks: number[]
  shifts: number
  /** When the composer was there, in milliseconds of its page. */
  composerAt?: number
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
    const seeker = new MutationObserver(() => {
      if (!document.querySelector('.askback-composer textarea')) return
      watched.composerAt = performance.now()
      seeker.disconnect()
    })
    seeker.observe(document, { childList: true, subtree: true })
  })
  return page
}

/** Since the last time it was asked. */
async function longestTask(page: Page): Promise<string> {
  const tasks = await page.evaluate(() =>
    (window as unknown as { watched: Watched }).watched.longTasks.splice(0),
  )
  if (tasks.length === 0) return 'none over 50 ms'
  return `${Math.max(...tasks).toFixed(0)} ms (${tasks.length} over 50 ms)`
}

/** Since the last time it was asked. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched }
    const { shifts } = watched
    watched.shifts = 0
    return shifts
  })
}

interface TraceEvent {
  name: string
  tid: number
  /** Microseconds of the thread's own time. */
  tdur?: number
  args?: { name?: string }
}

/** Begins to trace the page's main thread. What it returns ends that, with the most work that one task was. */
async function traceWork(page: Page): Promise<() => Promise<string>> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] },
  })
  return async () => {
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await ended
    await session.detach()
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
    const main = new Set(events.filter(isMain).map(({ tid }) => tid))
    const tasks = events.filter(({ name, tid }) => /RunTask$/.test(name) && main.has(tid))
    return `${Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000)).toFixed(0)} ms of work`
  }
}

/** Milliseconds after the page was asked for; it may be told of a little later than it was. */
async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          const [paint] = list.getEntriesByName('first-contentful-paint')
          if (!paint) return
          observer.disconnect()
          resolve(paint.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

async function composerTime(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { watched: Watched }).watched.composerAt ?? Number.NaN)
}

/** Compressed bytes of scripts: of those that were asked for before the composer was there, and of all. */
async function countScripts(page: Page): Promise<{ first: number; all: number }> {
  const scripts = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime, encodedBodySize }) => ({ startTime, bytes: encodedBodySize })),
  )
  const readyAt = await composerTime(page)
  const sum = (some: typeof scripts) => some.reduce((total, { bytes }) => total + bytes, 0)
  return { first: sum(scripts.filter(({ startTime }) => startTime < readyAt)), all: sum(scripts) }
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message' })
}

function inKib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo' }).click()
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
