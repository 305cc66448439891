import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, type TestBrowser } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { gate } from '../../support/gate.ts'
import { callTool } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Every press in the settings ends in a connection or in a sentence, where it is seen.

const phone = { width: 360, height: 740, touch: true }
const settings = '/settings/integrations?provider=serper&from=/chat/abc'

const [browser, chat] = useBrowser(() => startChatStack({ ASKBACK_SIMULATE: 'search' }))

const section = (page: Page, name: string) => page.getByRole('region', { name })
const serper = (page: Page) => section(page, 'Serper')
const back = (page: Page) => page.getByRole('link', { name: 'Back to the chat' })
const isFocused = (what: Locator) => what.evaluate((one) => one === document.activeElement)
const isList = (url: URL) => url.pathname.endsWith('/functions/v1/integration-settings')
const topOf = (what: Locator) => what.evaluate((one) => one.getBoundingClientRect().top)
/** Whether it is seen, from its beginning to its end. */
const isSeen = (what: Locator) =>
  what.evaluate((one) => {
    const { left, top, width, bottom } = one.getBoundingClientRect()
    return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(left + width / 2, y)))
  })

/** Somebody new, who has no connection yet. */
async function join(options: Parameters<TestBrowser['open']>[1] = {}): Promise<Page> {
  const page = await browser.open(chat.stack.url, options)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return page
}

/** The settings in two tabs, with a key in both; it is connected in the first. */
async function connectElsewhere(): Promise<Page> {
  const page = await join()
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto(`${chat.stack.url}${settings}`)
    await serper(tab).getByLabel('API key').fill('test-key-123456')
  }
  await page.keyboard.press('Enter')
  await serper(page).getByRole('article', { name: 'simulated' }).waitFor()
  return other
}

async function saysItIsConnected(page: Page) {
  await page.getByText('Serper is already connected. Nothing new was stored.').waitFor()
  await expect.poll(() => isFocused(back(page))).toBe(true)
  expect(await serper(page).getByRole('form').count()).toBe(0)
  expect(await page.locator('.askback-problem').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
}

describe.skipIf(!chromiumPath)('connecting', () => {
  beforeAll(async () => {
    chat.model.use(() => callTool('web_search', { query: 'tea' }))
  })

  it('is never silent where another tab was faster, however slow the server is', async () => {
    const page = await connectElsewhere()
    const { opened: held, open: letGo } = gate()
    await page.route(isList, async (route) => {
      await held
      await route.continue()
    })
    const lookedAgain = page.waitForRequest((request) => isList(new URL(request.url())))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await lookedAgain
    expect(await serper(page).getByRole('form').getByRole('button').first().innerText()).toBe('Testing …')
    letGo()
    await serper(page).getByRole('article', { name: 'simulated' }).waitFor()
    await saysItIsConnected(page)
  })

  it('says so also where nobody can say what is connected', async () => {
    const page = await connectElsewhere()
    await page.route(isList, (route) => route.abort())
    await page.keyboard.press('Enter')
    await page.getByText('Serper is already connected. Nothing new was stored.').waitFor()
  })

  it('asks for no name of a second connection where the first one was begun', async () => {
    const page = await connectElsewhere()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await serper(page).getByRole('article', { name: 'simulated' }).waitFor()
    expect(await serper(page).getByLabel('Name of this connection').count()).toBe(0)
    await page.keyboard.press('Enter')
    await saysItIsConnected(page)
  })

  for (const [locale, words] of [
    ['en-GB', 'Opens in a new tab. I’ll continue once you’ve connected.'],
    ['de-DE', 'Öffnet einen neuen Tab. Sobald die Verbindung steht, mache ich weiter.'],
  ] as const)
    it(`is said to open a new tab, in ${locale}`, async () => {
      const account = await join()
      const page = await account.context().newPage()
      await page.addInitScript((one) => {
        Object.defineProperty(navigator, 'languages', { get: () => [one] })
      }, locale)
      await page.goto(chat.stack.url)
      await page.getByRole('textbox').last().fill('Search the web for tea')
      await page.keyboard.press('Enter')
      const link = page.getByRole('link', { name: /Serper/ })
      await page.getByText(words, { exact: true }).waitFor()
      const described = await link.evaluate(
        (one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent,
      )
      expect(described).toBe(words)
      expect(await findBarriers(page)).toEqual([])
    })

  it('offers beside what is asked for whatever does the same, and leads back from there', async () => {
    const page = await join(phone)
    await page.goto(`${chat.stack.url}${settings}`)
    const other = serper(page).getByRole('button', { name: 'Connect SerpAPI' })
    await other.waitFor()
    expect(await isFocused(serper(page).getByLabel('API key'))).toBe(true)
    expect(await isSeen(other)).toBe(true)
    expect(await isSeen(serper(page).getByRole('button', { name: 'Connect Brave' }))).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await other.tap()
    const serpApi = section(page, 'SerpAPI')
    const key = serpApi.getByLabel('API key')
    await expect.poll(() => isFocused(key)).toBe(true)
    await expect.poll(() => isSeen(serpApi.getByRole('form'))).toBe(true)
    expect(await serper(page).getByRole('form').count()).toBe(0)
    expect(await back(page).count()).toBe(1)
    await key.fill('test')
    await key.press('Enter')
    await serpApi.getByRole('article').waitFor()
    await expect.poll(() => isFocused(serpApi.getByRole('link', { name: 'Back to the chat' }))).toBe(true)
    expect(await isSeen(back(page))).toBe(true)
    expect(await page.getByRole('button', { name: 'Connect Brave' }).count()).toBe(0)
  })

  it('leads back from whatever does the same, and from nothing else', async () => {
    const page = await join()
    await page.goto(`${chat.stack.url}${settings}`)
    for (const [name, leadsBack] of [
      ['OpenRouter', false],
      ['Brave', true],
    ] as const) {
      await section(page, name).getByRole('button', { name: 'Connect' }).press('Enter')
      await section(page, name).getByLabel('API key').fill('sk-or-test')
      // Nobody answers for a model's key here.
      await page.route(/\/connections$/, (route) =>
        route.continue({ url: `${route.request().url()}?test=false` }),
      )
      await page.keyboard.press('Enter')
      await section(page, name).getByRole('article').waitFor()
      const link = (leadsBack ? section(page, name) : serper(page)).getByRole('link')
      await expect.poll(() => link.and(back(page)).count()).toBe(1)
      expect(await back(page).count()).toBe(1)
      await expect.poll(() => isFocused(back(page))).toBe(leadsBack)
    }
  })

  it('opens where it is seen on a phone, and moves nothing that is', async () => {
    const page = await join(phone)
    await page.goto(`${chat.stack.url}/settings/integrations`)
    const brave = section(page, 'Brave')
    const form = brave.getByRole('form')
    const press = async (name: string, block: 'start' | 'end') => {
      const button = brave.getByRole('button', { name })
      await button.evaluate((one, block) => one.scrollIntoView({ block }), block)
      await button.tap()
      await form.waitFor()
    }
    await press('Connect', 'end')
    await expect.poll(() => isSeen(form)).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).tap()
    const heading = brave.getByRole('heading')
    await brave.getByRole('button', { name: 'Connect' }).evaluate((one) => one.scrollIntoView())
    const before = await topOf(heading)
    await brave.getByRole('button', { name: 'Connect' }).tap()
    await form.waitFor()
    expect(await topOf(heading)).toBe(before)
    expect(await isSeen(form)).toBe(true)
    await form.getByLabel('API key').fill('test')
    await form.getByRole('button', { name: 'Connect' }).tap()
    await form.waitFor({ state: 'detached' })
    await press('Change', 'end')
    await expect.poll(() => isSeen(form)).toBe(true)
  })
})
