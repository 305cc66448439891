/**
 * `npx tsx scripts/screenshots.ts`: takes screenshots of the web app for the README and docs, with its own stack and browser.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { readSettings } from '../local/settings/settings.ts'
import { startStack } from '../local/stack/stack.ts'
import { chromiumPath } from './chromium.ts'
import { root } from './platform.ts'

if (chromiumPath === undefined) throw new Error('There is no Chromium here. Name one in CHROMIUM_PATH.')
const target = join(root, 'docs', 'screenshots')
const dataDirectory = await mkdtemp(join(tmpdir(), 'askback-screenshots-'))
const wide = { width: 1440, height: 970 }
const environment = {
  PATH: process.env.PATH,
  ASKBACK_PORT: '0',
  ASKBACK_DATA_DIR: dataDirectory,
}
const stack = startStack(readSettings(environment, join(root, 'supabase')))
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })

try {
  const { url } = await stack.ready
  await mkdir(target, { recursive: true })
  await takeWide(await open(browser, url, wide))
  await takePhone(await open(browser, url, { width: 360, height: 740, dark: true }))
  console.log(`Pictures are in ${target}.`)
} finally {
  await browser.close()
  await stack.close()
  await rm(dataDirectory, { recursive: true, force: true })
}
process.exit()

interface View {
  width: number
  height: number
  dark?: boolean
}

async function open(browser: Browser, url: string, { width, height, dark = false }: View): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  await page.goto(url)
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  // The font is only used if it is cached, which it is from now on.
  await page.waitForLoadState('networkidle')
  await page.reload()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return page
}

async function takeWide(page: Page): Promise<void> {
  await take(page, 'start')
  // A first page, so that there is one to go back to.
  await begin(page, 'Create a document about the summer party')
  await page.getByText('I created the document').waitFor()
  await begin(page, 'Find my documents about the party')
  await page.getByText('I found:').waitFor()
  await begin(page, 'Send an email about the budget to grace@example.com')
  await approve(page)

  await begin(page, 'Send an email about the meeting to ada@example.com')
  await approve(page)
  const corrected = page.getByRole('group', { name: 'Corrected call' }).getByRole('button').first()
  await corrected.click()
  await take(page, 'corrected-call')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, 'corrected-call-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await corrected.click()

  // In one picture: what was corrected automatically, and what the user is asked.
  await page.setViewportSize({ width: 1440, height: 1080 })
  await write(page, 'Now send an email about the agenda to grace@example.com')
  await page.getByRole('group', { name: 'Approval needed' }).waitFor()
  await take(page, 'app')
  await page.setViewportSize(wide)
  await begin(page, 'Send an email about the budget to ada@example.com')
  await page.getByRole('group', { name: 'Approval needed' }).waitFor()
  await take(page, 'approval')
  await begin(page, 'Search the web for edge functions')
  await page.getByRole('group', { name: 'Connection needed' }).waitFor()
  await take(page, 'connection')
  await page
    .getByRole('link', { name: /^Waiting for you/ })
    .first()
    .click()
  await page.getByRole('group', { name: 'Connection needed' }).waitFor()
  await take(page, 'waiting')
  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('region', { name: 'SMTP' }).waitFor()
  await take(page, 'integrations')
}

async function takePhone(page: Page): Promise<void> {
  await begin(page, 'Send an email about the meeting')
  await page.getByRole('form', { name: /Who should I send/ }).waitFor()
  await take(page, 'question-phone')
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' })
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Approval needed' }).waitFor()
  // A card that has just come takes no press.
  await page.waitForTimeout(1000)
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByText('I sent the email').waitFor()
}

async function begin(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New chat' }).click()
  await write(page, text)
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}
