import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chromiumPath,
  findBarriers,
  openDemo,
  resize,
  sidewaysScroll,
  smallTargets,
} from '../../support/browser.ts'
import { echo, type RemoteMcp, startRemoteMcp } from '../../support/remote-mcp.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Servers of MCP in the settings, from their address to their removal.

const [browser, stack] = useBrowser(() => startStack({ keepsDemo: true }))
let remote: RemoteMcp
let page: Page

beforeAll(async () => {
  if (!chromiumPath) return
  remote = await startRemoteMcp({
    title: 'Linear MCP',
    tools: [
      { ...echo, name: 'list_issues', title: 'List issues', annotations: { readOnlyHint: true } },
      { ...echo, name: 'create_issue', title: 'Create issue' },
    ],
  })
  page = await openDemo(browser, stack.url)
})
afterAll(() => remote?.close())

const panel = (name: string) => page.getByRole('region', { name, exact: true })
const add = async (url: string) => {
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

describe.skipIf(!chromiumPath)('servers in a browser', () => {
  it('are added by their address, or refused with the reason', async () => {
    await page.goto(`${stack.url}/settings/integrations`)
    await page.getByRole('link', { name: 'Servers' }).click()
    await page.getByText('No server yet.').waitFor()
    await add('https://10.0.0.1/mcp')
    await page.getByText('10.0.0.1 is not on the public internet, so it is not used.').waitFor()
    browser.complaints()
    await add(remote.url)
    await page.getByText('linear was added.').waitFor()
    await panel('linear').getByText('Ready').waitFor()
    await panel('linear').getByText('2 tools').click()
    await panel('linear').getByRole('checkbox', { name: 'List issues · asks first' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await resize(page, { width: 360, height: 740 })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await smallTargets(page, 24)).toEqual([])
    await resize(page, { width: 1280, height: 800 })
  })

  it('are trusted, and lose a tool', async () => {
    const linear = panel('linear')
    await linear.getByRole('checkbox', { name: /I trust/ }).click()
    await linear.getByRole('checkbox', { name: 'List issues · reads' }).waitFor()
    await linear.getByRole('checkbox', { name: 'Create issue · asks first' }).uncheck()
    await linear.getByRole('checkbox', { name: /Create issue/, disabled: false }).waitFor()
    await page.reload()
    await linear.getByText('2 tools').click()
    expect(await linear.getByRole('checkbox', { name: /Create issue/ }).isChecked()).toBe(false)
    expect(await linear.getByRole('checkbox', { name: /I trust/ }).isChecked()).toBe(true)
  })

  it('change only as far as it is accepted', async () => {
    const linear = panel('linear')
    const [list, create] = remote.tools
    if (list && create) remote.tools = [{ ...list, description: 'Lists issues of all teams.' }, create]
    await linear.getByRole('button', { name: 'Read again: linear' }).click()
    await linear.getByText('1 change to look at').click()
    await linear.getByText('Now: Lists issues of all teams.').waitFor()
    await linear.getByRole('button', { name: 'Accept List issues' }).click()
    await linear.getByText('1 change to look at').waitFor({ state: 'detached' })
  })

  it('are signed in with, on a page whose host is shown first', async () => {
    await add(`${stack.url}/functions/v1/mcp`)
    const own = page.getByRole('region').filter({ hasText: 'Sign-in needed' })
    await own.getByRole('button', { name: /^Sign in at/ }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('heading', { name: `Sign in at ${new URL(stack.url).host}?` }).waitFor()
    await question.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(/^You are signed in at/).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('region').filter({ hasText: 'Sign-in needed' }).waitFor({ state: 'detached' })
  })

  it('are found by the card of a call that needs one', async () => {
    await page.goto(`${stack.url}/settings/integrations?server=any`)
    await panel('linear').waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/integrations/servers')
  })

  it('are removed, after a question', async () => {
    await page.getByRole('button', { name: 'Remove linear' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('linear was removed.').waitFor()
    await panel('linear').waitFor({ state: 'detached' })
  })
})
