/**
 * `npm run screenshots`: pictures of the web app for the README and docs, from a stack and a browser of its own.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { readSettings } from '../local/settings.ts'
import { startStack } from '../local/stack.ts'
import { chromiumPath } from './chromium.ts'
import { root } from './platform.ts'

if (chromiumPath === undefined) throw new Error('There is no Chromium here. Name one in CHROMIUM_PATH.')
const target = join(root, 'docs', 'screenshots')
const dataDirectory = await mkdtemp(join(tmpdir(), 'askback-screenshots-'))
const environment = { PATH: process.env.PATH, ASKBACK_PORT: '0', ASKBACK_DATA_DIR: dataDirectory }
const stack = startStack(readSettings(environment, join(root, 'supabase')))
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })

try {
  const { url } = await stack.ready
  await mkdir(target, { recursive: true })
  const open = async (width: number, height: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    await page.goto(url)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    return page
  }
  const take = (page: Page, name: string) => page.screenshot({ path: join(target, `${name}.png`) })
  const begin = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  const wide = await open(1200, 760, 'light')
  await take(wide, 'start')
  await begin(wide, 'Send an email about the meeting to ada@example.com')
  await wide.getByText('I sent the e-mail').waitFor()
  await wide.getByRole('group', { name: 'Corrected call' }).getByRole('button').first().click()
  await take(wide, 'corrected-call')
  await wide.getByRole('link', { name: 'Agents' }).click()
  await wide.getByLabel('Permission for Send email', { exact: true }).selectOption('Ask first')
  await wide.waitForLoadState('networkidle')
  await wide.getByRole('button', { name: 'New chat' }).click()
  await begin(wide, 'Send an email about the budget to ada@example.com')
  await wide.getByRole('group', { name: 'Approval needed' }).waitFor()
  await wide.waitForLoadState('networkidle')
  await take(wide, 'approval')
  await wide.getByRole('link', { name: 'Integrations' }).click()
  await wide.getByRole('region', { name: 'SMTP' }).waitFor()
  await take(wide, 'integrations')

  const phone = await open(360, 740, 'dark')
  await begin(phone, 'Send an email about the meeting')
  await phone.getByRole('form', { name: /Who should I send/ }).waitFor()
  await phone.waitForLoadState('networkidle')
  await take(phone, 'question-phone')
  console.log(`Pictures are in ${target}.`)
} finally {
  await browser.close()
  await stack.close()
  await rm(dataDirectory, { recursive: true, force: true })
}
process.exit()
