import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll, smallTargets } from '../../support/browser.ts'
import { signInDemo } from '../../support/chat-user.ts'
import { request } from '../../support/equipped-user.ts'
import { ask, post } from '../../support/mcp-client.ts'
import { startMcpProcess } from '../../support/mcp-process.ts'
import { OAuthClient, readJson } from '../../support/oauth-client.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

// An app that connects over MCP asks its user on a page of ours, and stays within what they allow until they disconnect it.

const [browser, stack] = useBrowser(() => startStack({ keepsDemo: true }))
const ended = new AbortController()
/** Where programs on this computer are sent back to. */
const callbacks: string[] = []
const program = createServer((asked, answer) => {
  if (asked.url?.startsWith('/callback')) callbacks.push(asked.url)
  const framed = asked.url?.split('/frame?')[1]
  answer.setHeader('content-type', 'text/html')
  if (framed) answer.end(`<!doctype html><link rel="icon" href="data:,"><iframe src="${framed}"></iframe>`)
  else
    answer.end(
      '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><main>You can close this page.</main>',
    )
})
let redirectUri: string
let mcp: string
let page: Page

beforeAll(async () => {
  if (!chromiumPath) return
  const { port } = await startMcpProcess(stack, findDeno(), ended.signal)
  mcp = `http://127.0.0.1:${port}/mcp`
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
  page = await openDemo(browser, stack.url)
})
afterAll(() => {
  ended.abort()
  program.close()
})

async function newClient(name: string) {
  const client = new OAuthClient(mcp, redirectUri)
  await client.discover()
  await client.register(name)
  return client
}
const back = async () => {
  await page.getByText('You can close this page.').waitFor()
  return new URL(callbacks.at(-1) ?? '', redirectUri).href
}
const grants = async () =>
  (await request(stack, await signInDemo(stack), 'GET', '/integration-settings/mcp-grants')).json.grants
const grantedTo = async (token: string) =>
  JSON.parse((await ask({ url: mcp, token }, 'tools/call', { name: 'test_who' })).result.content[0].text)
    .caller.granted
const statusFor = async (token: string) => (await post({ url: mcp, token }, { id: 1, method: 'ping' })).status
const connect = () => page.getByRole('button', { name: 'Connect', exact: true })

describe.skipIf(!chromiumPath)('connecting an app', () => {
  let client: OAuthClient
  let token: string

  it('says where it leads before what it calls itself, and what it may do', async () => {
    client = await newClient('Claude Code <b>by us</b>')
    await page.goto(client.authorizeUrl())
    await page.getByRole('heading', { name: 'A program on this computer wants to use your agent' }).waitFor()
    await page.getByText('It calls itself “Claude Code <b>by us</b>”. Nobody has checked that.').waitFor()
    await page.getByRole('checkbox', { name: 'Send email · asks you first' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'It may show approvals itself' }).isChecked()).toBe(false)
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await smallTargets(page, 24)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('makes one grant of a double click, without what was switched off, and sends back', async () => {
    await page.getByRole('checkbox', { name: /^Send email · / }).uncheck()
    await connect().dblclick()
    const tokens = await readJson(await client.exchange(await back()))
    token = tokens.access_token
    const made = await grants()
    expect(made).toMatchObject([{ clientId: client.clientId, redirectHost: 'localhost', forms: false }])
    const granted = await grantedTo(token)
    expect(granted.id).toBe(made[0].id)
    expect(granted.tools).toContain('web_search')
    expect(granted.tools).toContain('ask_agent')
    expect(granted.tools).not.toContain('smtp_send_email')
  })

  it('is listed with what it may do, which can be changed', async () => {
    await page.goto(`${stack.url}/settings/integrations`)
    await page.getByRole('link', { name: 'Connected apps' }).click()
    const app = page.getByRole('region', { name: '“Claude Code <b>by us</b>”' })
    await app.getByText(/On this computer · since .* · used once · last used/).waitFor()
    await app.getByText('What it may do').first().click()
    await app.getByRole('checkbox', { name: /^Send email · / }).check()
    await page.getByText('Saved.').waitFor()
    expect((await grantedTo(token)).tools).toContain('smtp_send_email')
    await app.getByRole('checkbox', { name: 'It may show approvals itself' }).check()
    await expect.poll(async () => (await grantedTo(token)).forms).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysScroll(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('is told whom it may write to without asking, and no longer', async () => {
    const app = page.getByRole('region', { name: '“Claude Code <b>by us</b>”' })
    const sends = app.getByRole('region', { name: 'Whom it may write to without asking' })
    await sends.getByText('Allow somebody').click()
    await sends.getByRole('textbox').fill('nobody')
    await sends.getByRole('button', { name: 'Allow', exact: true }).click()
    await sends.getByText(/“nobody”/).waitFor()
    await sends.getByRole('textbox').fill('*@acme.example')
    await sends.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('Allowed.').waitFor()
    await sends.getByText(/\*@acme\.example/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${stack.url}/settings/integrations/without-asking`)
    await page.getByText(/^“Claude Code <b>by us<\/b>” · since /).waitFor()
    await page.goto(`${stack.url}/agents`)
    await page.getByRole('heading', { name: 'Without asking' }).waitFor()
    expect(await page.getByText(/\*@acme\.example/).count()).toBe(0)
    await page.goto(`${stack.url}/settings/integrations/connected-apps`)
    await app.getByText('What it may do').first().click()
    await sends.getByRole('button', { name: /^Take back: / }).click()
    await page.getByText(/^Taken back: /).waitFor()
    await expect.poll(() => sends.getByRole('button', { name: /^Take back: / }).count()).toBe(0)
  })

  it('ends with a question, here and at the OAuth server', async () => {
    const name = 'Claude Code <b>by us</b>'
    await page.getByRole('button', { name: `Disconnect “${name}”` }).click()
    const dialog = page.getByRole('alertdialog', { name: `Disconnect “${name}”?` })
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: `Disconnect “${name}”` }).click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText(`“${name}” is disconnected.`).waitFor()
    await page.getByText('No app is connected.').waitFor()
    expect(await statusFor(token)).toBe(403)
    // Signed out there as well, it is asked about as if it were new.
    await page.goto(`${stack.url}/connect#client=${client.clientId}`)
    await page.getByText('This app isn’t signed in to your account.').waitFor()
    await page.goto(client.authorizeUrl())
    await connect().waitFor()
  })

  it('connects nothing that its user does not want', async () => {
    await page.getByRole('button', { name: 'Don’t connect' }).click()
    expect(await back()).toContain('error=access_denied')
    expect(await grants()).toEqual([])
    await page.goBack()
    await page.getByText('This request has expired or was already answered.').waitFor()
    expect(browser.complaints()).toMatchObject([{ status: 400 }])
    await page.goto(`${stack.url}/connect`)
    await page.getByText('This link doesn’t say which app to connect.').waitFor()
  })

  it('grants what a signed-in app was refused, on the page that the refusal names', async () => {
    const other = await newClient('Codex')
    await page.goto(other.authorizeUrl())
    await connect().click()
    const { access_token } = await readJson(await other.exchange(await back()))
    const [{ id }] = await grants()
    await request(stack, await signInDemo(stack), 'DELETE', `/integration-settings/mcp-grants/${id}`)
    const refused = await readJson(await post({ url: mcp, token: access_token }, { id: 1, method: 'ping' }))
    const [, link = ''] = /open (http:\S+) and/.exec(refused.error.message) ?? []
    await page.goto(link)
    await page
      .getByRole('heading', { name: 'An app that you’ve signed in to wants to use your agent' })
      .waitFor()
    await connect().click()
    await page.getByText('Connected. Go back to the app and try again.').waitFor()
    expect((await grantedTo(access_token)).forms).toBe(false)
  })

  it('is pressed in no frame', async () => {
    const framing = await openDemo(browser, stack.url)
    await framing.route('**/connect*', async (route) => {
      const response = await route.fetch()
      const { 'x-frame-options': _, 'content-security-policy': __, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await framing.goto(`${new URL(redirectUri).origin}/frame?${stack.url}/connect?authorization_id=x`)
    const frame = framing.frameLocator('iframe')
    await frame.getByRole('link', { name: 'Open it on its own' }).waitFor()
    expect(await frame.getByRole('button').count()).toBe(0)
  })

  it('reads well in German, on a phone', async () => {
    const german = await openDemoIn('de-DE')
    const asking = await newClient('Claude Code')
    await german.goto(asking.authorizeUrl())
    await german
      .getByRole('heading', { name: 'Ein Programm auf diesem Computer möchte deinen Agenten benutzen' })
      .waitFor()
    await german.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysScroll(german)).toBe(0)
    expect(await findBarriers(german)).toEqual([])
  })
})

async function openDemoIn(locale: string): Promise<Page> {
  const opened = await browser.open(stack.url, { locale, timezoneId: 'Europe/Berlin' })
  await opened.getByRole('button', { name: 'Demo ausprobieren' }).click()
  await opened.getByRole('textbox', { name: 'Nachricht' }).waitFor()
  return opened
}
