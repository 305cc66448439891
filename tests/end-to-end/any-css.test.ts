import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, resize } from '../../support/browser.ts'
import { misshapen } from '../../support/card-shape.ts'
import { readPage } from '../../support/docs-pages.ts'
import { type Host, hosts } from '../../support/host-styles.ts'
import { illegible, markSeen, ringless } from '../../support/legibility.ts'
import { blocksUnder } from '../../support/readme-blocks.ts'
import { serveApp } from '../../support/serve-app.ts'
import { project } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'
import installClients from '../conformance/clients/install.ts'

// The pieces in apps whose stylesheets say of `button`, `a`, `input` and `p` what they like.

beforeAll(installClients)

const [browser, app] = useBrowser(() => serveApp(join(project, 'support/all-pieces')))

/** All pieces in all their states: unfolded, edited, half filled in, refused, about to be removed. */
async function openAll(): Promise<Page> {
  const page = await browser.open(app.url)
  await page.locator('article').first().waitFor()
  await page.waitForFunction(() => {
    const folded = document.querySelectorAll<HTMLElement>('.askback-tool > [aria-expanded=false]')
    for (const one of folded) one.click()
    for (const one of document.querySelectorAll('details')) one.open = true
    return folded.length === 0
  })
  const approvals = page.getByRole('group', { name: '⟦Approval needed⟧' })
  await approvals.nth(0).getByRole('button', { name: '⟦Edit⟧' }).click()
  await page.getByRole('button', { name: '⟦Change this permission⟧' }).first().click()
  await approvals.nth(1).getByRole('button', { name: '⟦Deny⟧' }).click()
  await approvals.nth(1).getByRole('alert').waitFor()
  const form = page.locator('form', { has: page.getByLabel('Παραλήπτης') })
  await form.locator('[type=submit]').click()
  await form
    .getByText(/is required/)
    .first()
    .waitFor()
  const provider = page.getByRole('region', { name: 'Πάροχος 1' })
  await provider.getByRole('button', { name: '⟦Connect another⟧' }).click()
  await provider.getByRole('button', { name: '⟦Connect⟧' }).click()
  await provider
    .getByText(/is required/)
    .first()
    .waitFor()
  await provider.getByRole('button', { name: '⟦Disconnect⟧' }).first().click()
  await page.getByRole('alertdialog').waitFor()
  // One of the messages cannot be drawn, of which React complains.
  browser.complaints()
  return page
}

/** The whole chat: a conversation that has failed, with what stands around it, and a decision that was refused. */
async function openChat(): Promise<Page> {
  const page = await browser.open(`${app.url}?chat`)
  await page.locator('.askback-code-keyword').first().waitFor()
  await page.locator('.askback-chat-list li').first().waitFor()
  await page.locator('.askback-count').waitFor()
  await page.getByRole('button', { name: '⟦Good answer⟧' }).click()
  await page.locator('.askback-shown-problem').waitFor()
  return page
}

/** Pixels between the list and the conversation, or 0 where only one of them is there. */
const besides = (page: Page) =>
  page.evaluate(() => {
    const [list, pane] = ['.askback-chat-list', '.askback-chat-pane'].map((name) =>
      document.querySelector(name)?.getBoundingClientRect(),
    )
    return list?.width && pane?.width ? pane.left - list.right : 0
  })

/** Puts the stylesheet of an app on the page; the function takes it away again. */
async function visit(page: Page, { css, dark = false, className = '' }: Host): Promise<() => Promise<void>> {
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  const sheet = await page.addStyleTag({ content: css })
  await page.evaluate((name) => {
    document.documentElement.className = name
  }, className)
  return () => sheet.evaluate((style) => (style as Element).remove())
}

describe.skipIf(!chromiumPath)('the pieces in an app whose stylesheet has', () => {
  it.each(Object.keys(hosts))('%s can be read, told apart and hit, wide and on a phone', async (name) => {
    const page = await openAll()
    expect(await markSeen(page)).toBeGreaterThan(200)
    const host = hosts[name]?.()
    await visit(page, host ?? { css: '' })
    for (const width of [1280, 360]) {
      await resize(page, { width, height: 800 })
      expect(await illegible(page), `${width} px`).toEqual([])
      expect(await misshapen(page), `${width} px`).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await ringless(page)).toEqual([])
  })

  it('nothing of its own where the system forces its colours', async () => {
    const page = await openAll()
    await page.emulateMedia({ forcedColors: 'active' })
    await markSeen(page)
    expect(await illegible(page)).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('the whole chat in an app whose stylesheet has', () => {
  it.each(Object.keys(hosts))('%s can be read, told apart and hit, wide and on a phone', async (name) => {
    const page = await openChat()
    const host = hosts[name]?.() ?? { css: '' }
    /** What is seen without the host must be seen with it. */
    const look = async (least: number) => {
      expect(await markSeen(page)).toBeGreaterThan(least)
      const leave = await visit(page, host)
      expect(await illegible(page)).toEqual([])
      expect(await misshapen(page)).toEqual([])
      expect(await ringless(page)).toEqual([])
      expect(await besides(page)).toBeGreaterThanOrEqual(0)
      await leave()
    }
    await look(40)
    await resize(page, { width: 360, height: 800 })
    await page.getByRole('button', { name: '⟦Conversations⟧' }).waitFor()
    await look(20)
    await page.getByRole('button', { name: '⟦Conversations⟧' }).click()
    await page.getByRole('searchbox').waitFor()
    await look(10)
  })

  it('nothing of its own where the system forces its colours', async () => {
    const page = await openChat()
    await page.emulateMedia({ forcedColors: 'active' })
    await markSeen(page)
    expect(await illegible(page)).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('the design of the docs', () => {
  it('sets what is guarded by its variable, and the rest by a rule, whatever the app says', async () => {
    const page = await openAll()
    await page.keyboard.press('Escape')
    await visit(page, hosts['white on white']?.() ?? { css: '' })
    const [variables, rule] = blocksUnder(
      readPage('docs/your-design.md'),
      'Your rules for buttons, links and fields',
    ).map(({ text }) => text)
    await page.addStyleTag({ content: `${variables}${rule}` })
    const card = page.getByRole('group', { name: '⟦Approval needed⟧' }).first()
    const look = (selector: string, ...names: (keyof CSSStyleDeclaration)[]) =>
      card
        .locator(selector)
        .first()
        .evaluate((one, names) => names.map((name) => getComputedStyle(one)[name]), names)
    expect(await look('.askback-primary', 'padding', 'borderRadius', 'fontWeight')).toEqual([
      '8px 20px',
      '999px',
      '700',
    ])
    expect(await look('input', 'backgroundColor', 'color')).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
    expect(await card.evaluate((one) => getComputedStyle(one).padding)).toBe('24px')
    const deny = page.locator('.askback-deny').first()
    expect(
      await deny.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).borderTopColor]),
    ).toEqual(['rgb(178, 34, 34)', 'rgb(178, 34, 34)'])
  })
})
