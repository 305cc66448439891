import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../scripts/chromium.ts'
import type { Sentence } from './sentence.ts'

const locales: Readonly<Record<string, string>> = { en: 'en-GB', de: 'de-DE' }
const pages = [
  '/',
  '/settings/integrations',
  '/settings/integrations/openai-clients',
  '/settings/account',
  '/agents',
  '/archived',
  '/insights',
  '/waiting',
  '/nowhere',
]

/** The lines that stand on the pages of the web app and in the conversations that the demo user has in each language. */
export async function sentencesOfPages(
  url: string,
  conversationsIn: (language: string) => readonly string[],
): Promise<Sentence[]> {
  if (chromiumPath === undefined) {
    console.error('There is no Chromium here, so the pages are not recorded. Name one in CHROMIUM_PATH.')
    return []
  }
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const told = Object.entries(locales).map(([language, locale]) => {
      const chats = conversationsIn(language).map((id) => `/chat/${id}`)
      return readPages(browser, url, [...pages, ...chats], language, locale)
    })
    return (await Promise.all(told)).flat()
  } finally {
    await browser.close()
  }
}

async function readPages(
  browser: Browser,
  url: string,
  paths: readonly string[],
  language: string,
  locale: string,
): Promise<Sentence[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale, timezoneId: 'UTC' })
  await page.goto(url)
  const told: Sentence[] = [...(await linesOn(page, 'the door', language))]
  await page.getByRole('button', { name: /demo/i }).click()
  await page.locator('.askback-composer textarea').waitFor()
  told.push(...(await linesOn(page, 'beside every page', language, 'nav')))
  for (const path of paths) {
    await page.goto(url + path)
    told.push(...(await linesOn(page, path, language)))
  }
  await page.context().close()
  return told
}

/** What can be read on a page once it shows no more that it loads. */
async function linesOn(page: Page, name: string, language: string, part = 'main'): Promise<Sentence[]> {
  await page.locator('main').first().waitFor()
  await page.waitForLoadState('networkidle')
  const text = await page.locator(part).first().innerText()
  const lines = text.split('\n').map((line) => line.trim())
  return (
    lines
      // A bare number is a count.
      .filter((line) => !/^[\d.,]*$/.test(line))
      .map((sentence): Sentence => ({ from: `page ${name}`, to: 'people', language, as: 'line', sentence }))
  )
}
