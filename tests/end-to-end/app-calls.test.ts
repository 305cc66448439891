import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll } from '../../support/browser.ts'
import { signInDemo } from '../../support/chat-user.ts'
import { request } from '../../support/equipped-user.ts'
import { ask } from '../../support/mcp-client.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What an app has called over MCP, as its user finds it in the web app.

const [browser, stack] = useBrowser(() => startStack({ keepsDemo: true }))
const capabilities = { elicitation: { url: {} } }
let page: Page
let token: string

const send = (name: string, more: object = {}) =>
  ask(
    { url: `${stack.url}/functions/v1/mcp`, token, client: 'Claude Code' },
    'tools/call',
    {
      name: 'smtp_send_email',
      arguments: { to: [`${name}@example.com`], subject: `Hi ${name}`, body: 'Hello' },
      ...more,
    },
    capabilities,
  )

describe.skipIf(!chromiumPath)('the calls of an app', () => {
  beforeAll(async () => {
    page = await openDemo(browser, stack.url)
    const user = await signInDemo(stack)
    const made = await request(stack, user, 'POST', '/integration-settings/tokens', {
      name: 'Claude Code',
      scope: 'mcp',
    })
    token = made.json.token.value
  })

  it('that were declined in it say so, and are among no others that are decided at once', async () => {
    const asked = await send('ada')
    await send('ada', {
      requestState: asked.result.requestState,
      inputResponses: { item: { action: 'decline' } },
    })
    await send('eve')
    await page.goto(`${stack.url}/waiting`)
    await page.getByText('Declined in Claude Code').waitFor()
    expect(await page.getByText('Declined in Claude Code').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Send email' }).count()).toBe(2)
    expect(await page.getByRole('checkbox', { name: 'Select all' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  it('are one row of the list, which opens what is in it', async () => {
    await page.goto(stack.url)
    const row = page.getByRole('link', { name: /Claude Code/ })
    await row.getByText('2', { exact: true }).waitFor()
    expect(await row.count()).toBe(1)
    await row.click()
    const calls = page.getByRole('group').filter({ hasText: '2 calls of “Claude Code” on this day' })
    await calls.getByText('2 calls of “Claude Code” on this day').waitFor()
    const current = calls.locator('[aria-current=page]')
    const before = page.url()
    expect(await current.count()).toBe(1)
    await calls.getByRole('link').and(page.locator(':not([aria-current])')).click()
    await page.waitForURL((url) => url.href !== before)
    await page.getByText('Declined in Claude Code').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysScroll(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('are decided there all the same', async () => {
    await page.getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/You approved/).waitFor()
    await expect
      .poll(async () => (await stack.inbox.messages()).map(({ subject }) => subject))
      .toEqual(['Hi ada'])
  })

  it('are deleted together from their row, after a question', async () => {
    await page
      .getByRole('link', { name: /Claude Code/ })
      .first()
      .hover()
    await page.getByRole('button', { name: 'Options Claude Code' }).click()
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Archive', 'Delete'])
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const listed = async () => {
      const { json } = await request(stack, await signInDemo(stack), 'GET', '/chat/conversations')
      return json.conversations.filter(({ calls }: { calls?: object }) => calls).length
    }
    await expect.poll(listed).toBe(0)
  })
})
