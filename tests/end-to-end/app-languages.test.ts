import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, resize, sidewaysScroll } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { demoScript } from '../../support/demo-script.ts'
import { watchWords } from '../../support/pseudo-language.ts'
import { some } from '../../support/test-all.ts'
import { useBrowser } from '../../support/use-browser.ts'
import { language as german } from '../../web/languages/de/de.ts'

// The app speaks the language of its reader.

const [browser, chat] = useBrowser(() => startChatStack())
/** Of a German. */
let page: Page

const message = (on = page) => on.locator('.askback-composer textarea')
const heading = (name: string, on = page) => on.getByRole('heading', { level: 1, name, exact: true })

/** Every page with a heading that is seen, and what it is called. */
const pages = [
  ['/waiting', german.waiting.title],
  ['/archived', german.archived.title],
  ['/settings/integrations', german.integrations.title],
  ['/settings/integrations/openai-clients', german.integrations.title],
  ['/settings/integrations/without-asking', german.integrations.title],
  ['/agents', german.agents.title],
  ['/schedules', german.client.schedules.title],
  ['/insights', german.insights.title],
  ['/inbox', german.inbox.title],
  ['/settings/account', german.account.title],
] as const

async function open(path: string, on = page): Promise<void> {
  await on.goto(`${chat.stack.url}${path}`)
  await on.waitForLoadState('networkidle')
}

async function signIn(on: Page): Promise<void> {
  await on.locator('.door button.primary').first().click()
  await message(on).waitFor()
}

/** The question of a mail without an address stays open; one conversation is archived. */
async function fill(on: Page): Promise<void> {
  await message(on).fill('Send an email about the meeting to ada@example.com')
  await message(on).press('Enter')
  await on.getByText('I sent the email “Meeting” to ada@example.com.').waitFor()
  await open('/', on)
  await message(on).fill('Send an email about trains')
  await message(on).press('Enter')
  await on.locator('.askback-question').waitFor()
}

const turn = (direction: string) =>
  page.evaluate((direction) => document.documentElement.setAttribute('dir', direction), direction)

/** Where reading begins at the right, no page scrolls sideways either. */
async function expectNoWidth(path: string): Promise<void> {
  for (const width of some([360, 1440])) {
    await resize(page, { width, height: 800 })
    await turn('rtl')
    expect([path, await sidewaysScroll(page)]).toEqual([path, 0])
    const wider = await page
      .locator('.content, main')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length)
    expect([path, wider]).toEqual([path, 0])
  }
  await resize(page, { width: 1280, height: 800 })
  await turn('ltr')
}

describe.skipIf(!chromiumPath)('the languages of the app', () => {
  beforeAll(async () => {
    chat.model.use(demoScript({}))
    page = await browser.open(chat.stack.url, { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
  })

  it('speak German to a German, on every page, which may be read from right to left, too', async () => {
    await page.getByRole('heading', { level: 2, name: german.door.signIn, exact: true }).waitFor()
    await open('/inbox')
    await heading(german.inbox.title).waitFor()
    await open('/')
    await signIn(page)
    await page.getByRole('heading', { level: 2, name: german.start.title }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('de')
    await fill(page)
    await expectNoWidth('/')
    for (const [path, name] of pages) {
      await open(path)
      await heading(name).waitFor()
      await expectNoWidth(path)
    }
    await resize(page, { width: 360, height: 800 })
    await turn('rtl')
    await page.locator('.topbar button').first().click()
    const drawer = async () => {
      const side = await page.locator('.drawer').boundingBox()
      return (side?.x ?? 0) + (side?.width ?? 0)
    }
    await expect.poll(drawer).toBe(360)
    await resize(page, { width: 1280, height: 800 })
  })

  it('say in German what went wrong, too', async () => {
    for (const [path, part] of [
      ['/settings/integrations', 'integration-settings'],
      ['/archived', 'chat/conversations'],
      ['/waiting', 'chat/open'],
    ] as const) {
      const route = `**/functions/v1/${part}*`
      await page.route(route, (route) => route.abort())
      await open(path)
      await page.getByRole('alert').getByText(german.client.failures.unreachable).first().waitFor()
      await page.unroute(route)
    }
    browser.complaints()
  })

  it('leave no word of ours outside of their files', async () => {
    const page = await browser.open('about:blank', { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    const { forgotten } = await watchWords(page)
    // Names, titles of conversations, and days, which Intl says.
    const others = [
      '.brand',
      '.door-intro h1',
      'td',
      '.figure dd',
      '.took',
      '.conversation-scroll h2',
      '.conversation-scroll a',
    ]
    const expectNone = async (place: string) => {
      await page.waitForLoadState('networkidle')
      // What an answer holds may be heard here after the page has shown it.
      await expect.poll(async () => [place, await forgotten(others)]).toEqual([place, []])
    }
    await open('/inbox', page)
    await expectNone('inbox, signed out')
    await open('/', page)
    await expectNone('sign in')
    for (const mode of ['second', 'third']) {
      await page.locator('.door-links button').last().click()
      await page.locator('.door form button[type=submit]').click()
      await page.locator('.door [role=alert]').waitFor()
      await expectNone(`sign in, ${mode} way`)
    }
    await signIn(page)
    await expectNone('start')
    await page.keyboard.press('Escape')
    await page.locator('.sidebar-end button').first().click()
    await page.getByRole('dialog').waitFor()
    await expectNone('shortcuts')
    await page.keyboard.press('Escape')
    await fill(page)
    await expectNone('chat')
    for (const [path] of pages) {
      await open(path, page)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectNone(path)
    }
    await open('/insights', page)
    const operator = page.locator('.operator')
    const [figures, find, stuck, tools] = [0, 1, 2, 3].map((number) => operator.locator('.panel').nth(number))
    await figures?.getByRole('button').click()
    await figures?.locator('.figure').first().waitFor()
    await find?.locator('input').fill('nothing like it')
    await find?.getByRole('button').click()
    await stuck?.getByRole('button').click()
    await tools?.getByRole('button').first().click()
    await tools?.locator('form button').first().click()
    await expectNone('what operators see')
    await open('/agents', page)
    await page.locator('.permission button').first().click()
    await page.locator('.trial').waitFor()
    await page.getByRole('button', { name: /⟦Agent⟧ ⟦löschen⟧/ }).click()
    await page.getByRole('alertdialog').waitFor()
    await expectNone('an agent that is to be deleted')
  })

  it('are chosen on the page of the account, for this device, and nothing that was typed is lost', async () => {
    await open('/agents')
    await page.getByLabel(german.agents.instructions).fill('Half of a sentence')
    await page.getByRole('link', { name: german.frame.chat, exact: true }).click()
    await message().fill('Half of a message')
    await page.getByRole('link', { name: /^Konto / }).click()
    const choice = (label: string) => page.getByRole('combobox', { name: label })
    await heading(german.account.title).waitFor()
    expect(await choice(german.account.language).getByRole('option').allInnerTexts()).toEqual([
      german.account.asInBrowser,
      'Deutsch',
      'English',
    ])
    await choice(german.account.language).selectOption('English')
    await heading('Account').waitFor()
    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await expect.poll(() => page.getByLabel('Instructions').inputValue()).toBe('Half of a sentence')
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect.poll(() => message().inputValue()).toBe('Half of a message')
    await open('/settings/account')
    await heading('Account').waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    await choice('Language').selectOption('Same as browser')
    await heading(german.account.title).waitFor()
    await open('/settings/account')
    await heading(german.account.title).waitFor()
  })
})
