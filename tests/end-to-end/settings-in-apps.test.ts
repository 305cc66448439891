import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { serveApp } from '../../support/serve-app.ts'
import { project } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, app] = useBrowser(() => serveApp(join(project, 'support/all-pieces')))

/** The settings on a page of the app, with the words of an address. */
async function openSettings(query = ''): Promise<Page> {
  const page = await browser.open(`${app.url}?${query}`)
  await page.locator('.askback-provider').first().waitFor()
  // One of the messages cannot be drawn, of which React complains.
  browser.complaints()
  return page
}

const listProviders = (page: Page): Promise<string[]> =>
  page
    .locator('.askback-provider h3')
    .evaluateAll((all) =>
      all.map((one) => one.textContent ?? '').filter((name) => name.startsWith('Πάροχος')),
    )

describe.skipIf(!chromiumPath)('the integration settings in an app', () => {
  it.each([
    ['all that the server is set up for', 'bare', ['1', '2', '3', '4']],
    ['what it has a note about as well', '', ['0', '1', '2', '3', '4']],
    ['what the app names', 'only=πάροχος1,models', ['1', '3', '4']],
    ['what the app does not hide', 'bare&hide=models,πάροχος2', ['1']],
    ['what a card asks for, in any case', 'bare&only=πάροχος1&provider=πάροχος0', ['0', '1']],
  ])('show %s', async (_, query, numbers) => {
    const page = await openSettings(query)
    expect(await listProviders(page)).toEqual(numbers.map((number) => `Πάροχος ${number}`))
  })

  it.each([280, 360, 1200])(
    'lie well in %i px, with their forms open, whatever the window has',
    async (width) => {
      const page = await openSettings()
      await page.addStyleTag({ content: `body { margin: 0; width: ${width}px; }` })
      const provider = page.getByRole('region', { name: 'Πάροχος 1' })
      await provider.getByRole('button', { name: '⟦Connect another⟧' }).click()
      await provider.getByRole('button', { name: '⟦Connect⟧' }).click()
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true
      })
      await page.getByRole('region', { name: '⟦Tokens⟧' }).waitFor()
      const out = await page.locator('.askback-settings').evaluateAll((all) =>
        all.flatMap((settings) => {
          const edge = settings.getBoundingClientRect().right
          return [...settings.querySelectorAll('*')]
            .filter(
              (one) =>
                one.getBoundingClientRect().right > edge + 1 ||
                (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'),
            )
            .map((one) => one.outerHTML.slice(0, 100))
        }),
      )
      expect(out).toEqual([])
      // Names beside their values where there is room, else above them.
      const [name, value] = await page
        .locator('.askback-facts > div')
        .first()
        .evaluate((row) => [...row.children].map((one) => one.getBoundingClientRect().top))
      expect(name === value).toBe(width > 480)
    },
  )
})
