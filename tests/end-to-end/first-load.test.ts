import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

/** The code that sends messages and reads answers. */
const engine = /\/assets\/chat-(?:engine|transport)-/
const calls = /\/(?:functions|rest|auth)\/v1\//

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const message = () => page.getByRole('textbox', { name: 'Message' })

/** Requests to such addresses wait, from now on; what is returned lets them go. */
async function hold(addresses: RegExp): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isHolding = true
  await page.route(addresses, (route) => (isHolding ? void held.push(route) : route.continue()))
  return async () => {
    isHolding = false
    for (const route of held) await route.continue()
    await page.unroute(addresses)
  }
}

/** Compressed KiB of the scripts that were loaded. */
async function countScripts(): Promise<number> {
  const sizes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ encodedBodySize }) => encodedBodySize),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

describe.skipIf(!chromiumPath)('the first page while it is loaded', () => {
  beforeAll(async () => {
    chat.model.use(() => say('Here I am.'))
    page = await openDemo(browser, chat.stack.url)
  })

  it('takes text after 130 KiB of scripts, and has 180 KiB in all', async () => {
    const letGo = await hold(engine)
    const asked = page.waitForRequest(engine)
    const last = page.waitForResponse(/\/assets\/model-picker-/)
    await page.reload()
    expect(await message().isEditable()).toBe(true)
    await asked
    await (await last).finished()
    expect(await countScripts()).toBeLessThanOrEqual(130)
    const arrived = page.waitForResponse(engine)
    await letGo()
    await (await arrived).finished()
    await page.waitForLoadState('networkidle')
    expect(await countScripts()).toBeLessThanOrEqual(180)
  })

  it('takes text before any call is answered, and keeps it', async () => {
    const letGo = await hold(calls)
    await page.reload()
    await message().pressSequentially('Before anything ')
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Message')
    const answered = page.waitForResponse(/\/functions\/v1\/chat\/models/)
    await letGo()
    await answered
    await message().pressSequentially('is there')
    expect(await message().inputValue()).toBe('Before anything is there')
    await message().fill('')
  })

  it('takes text once what its document names has arrived, which is no font: it waits for nothing that comes later', async () => {
    const html = await (await fetch(chat.stack.url)).text()
    expect(html).not.toMatch(/\.woff2|as="font"/)
    const tab = await page.context().newPage()
    const later: Route[] = []
    await tab.route('**/*', (route) =>
      html.includes(new URL(route.request().url()).pathname) ? route.continue() : void later.push(route),
    )
    await tab.goto(chat.stack.url, { waitUntil: 'commit' })
    await tab.getByRole('textbox', { name: 'Message' }).fill('Before anything')
    for (const route of later) await route.continue()
    await tab.close()
  })

  it('fetches the sign-in page with its first scripts for whoever has no session, and for nobody else', async () => {
    const signIn = /\/assets\/sign-in-/
    const stranger = await (await page.context().browser()?.newContext())?.newPage()
    if (!stranger) throw new Error('There is no browser.')
    const held: Route[] = []
    await stranger.route(/\/assets\/(?:frame|react)-/, (route) => void held.push(route))
    const asked = stranger.waitForRequest(signIn)
    await stranger.goto(chat.stack.url, { waitUntil: 'commit' })
    await asked
    for (const route of held) await route.continue()
    await stranger.getByRole('button', { name: 'Try the demo' }).waitFor()
    await stranger.context().close()

    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const looked = page.waitForResponse(/\/assets\/signed-out-/)
    await page.reload()
    await (await looked).finished()
    await message().waitFor()
    expect(requests.filter((url) => signIn.test(url))).toEqual([])
  })

  it('loads the code that sends once the page is idle, or has something to send', async () => {
    const tab = await page.context().newPage()
    await tab.addInitScript(() => {
      const waiting: IdleRequestCallback[] = []
      window.requestIdleCallback = (work) => waiting.push(work)
      Object.assign(window, { waiting })
    })
    const asked: string[] = []
    tab.on('request', (request) => {
      if (engine.test(request.url())) asked.push(request.url())
    })
    const open = async () => {
      await tab.goto(chat.stack.url)
      await tab.getByRole('textbox', { name: 'Message' }).fill('Are you there?')
      await tab.waitForLoadState('networkidle')
      expect(asked).toEqual([])
    }
    await open()
    await tab.evaluate(() => {
      for (const work of (window as never as { waiting: (() => void)[] }).waiting) work()
    })
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    asked.splice(0)
    await open()
    await tab.getByRole('button', { name: 'Send', exact: true }).click()
    await tab.getByText('Here I am.').waitFor()
    await tab.close()
  })

  it('has the shape of what is loading in its place, on every page that loads something', async () => {
    const placeholder = page.getByRole('status').filter({ hasText: 'Loading …' })
    for (const path of [
      'chat/unknown',
      'waiting',
      'archived',
      'insights',
      'settings/integrations',
      'inbox',
    ]) {
      const letGo = await hold(path === 'inbox' ? /\/inbox\/messages/ : calls)
      await page.goto(`${chat.stack.url}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await placeholder.waitFor()
      // The words are for who cannot see it.
      expect((await placeholder.getByText('Loading …').boundingBox())?.width, path).toBeLessThan(2)
      const heights = await placeholder
        .locator('i')
        .evaluateAll((shapes) => shapes.map(({ clientHeight }) => clientHeight))
      expect(heights.length, path).toBe(3)
      expect(Math.min(...heights), path).toBeGreaterThan(20)
      expect(await findBarriers(page), path).toEqual([])
      await letGo()
      await placeholder.waitFor({ state: 'detached' })
    }
    // The conversation that nobody has.
    for (const { status } of browser.complaints()) expect(status).toBe(404)
    await page.goto(chat.stack.url)
    await message().waitFor()
  })

  it('shows a message that is sent before the code for it is there, and sends it once', async () => {
    const letGo = await hold(engine)
    await page.reload()
    const before = chat.model.requests.length
    await message().fill('Are you there?')
    await message().press('Enter')
    await page.getByRole('article', { name: 'You' }).getByText('Are you there?').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    expect(await message().inputValue()).toBe('')
    await message().press('Enter')
    await letGo()
    await page.getByText('Here I am.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1)
    await page.reload()
    await page.getByText('Here I am.').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    const said = chat.model.requests.slice(before).map(({ body }) => body.messages.at(-1)?.content)
    expect(said.filter((content) => JSON.stringify(content).includes('Are you there?'))).toHaveLength(1)
  })

  it('does not send what was stopped before the code for it was there', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const letGo = await hold(engine)
    await page.reload()
    const before = chat.model.requests.length
    await message().fill('Never mind')
    await message().press('Enter')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    const arrived = page.waitForResponse(engine)
    await letGo()
    await (await arrived).finished()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.getByRole('article', { name: 'You' }).getByText('Never mind').waitFor()
    await message().fill('Are you there?')
    await message().press('Enter')
    await page.getByText('Here I am.').waitFor()
    expect(chat.model.requests.slice(before)).toHaveLength(1)
    await page.waitForLoadState('networkidle')
    // It was asked for what is stored, and nothing was.
    for (const { status } of browser.complaints()) expect(status).toBe(404)
  })
})
