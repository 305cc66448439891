import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { remoteHtml } from '../../support/remote-html.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, stack] = useBrowser(() => startStack())
let page: Page
let elsewhere: Server
/** The attacker's server; a connection is enough to tell it something. */
let there: string
let connections = 0
const outside: string[] = []

const script = '<script>window.hit=1</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1">'

/** HTML that would load, connect, lead, or take the page over. */
const hostileHtml =
  () => `<base href="${there}/"><link rel="preconnect" href="${there}"><link rel="dns-prefetch" href="${there}">
<link rel="stylesheet" href="${there}/a.css"><style>@import url(${there}/b.css);*{background:url(${there}/c)}</style>
<meta http-equiv="refresh" content="0;url=${there}/d"><body background="${there}/e" style="background:url(${there}/f)">
<img src="${there}/g" srcset="${there}/h 1x"><video src="${there}/i" poster="${there}/j"></video><iframe src="${there}/k"></iframe>
<object data="${there}/l"></object><svg><image href="${there}/m"/></svg><form action="${there}/n"><button><b>Send</b></button></form>
<a target="_top" href="${there}/o">Top</a> <a href="${there}/p">Self</a>
<div style="position:fixed;inset:0">over everything</div><input autofocus>${script}A letter.${remoteHtml(there).join('')}`

const hostileMarkdown =
  () => `${script} <style>*{display:none}</style> <link rel="preconnect" href="${there}">
![picture](${there}/q) ![data](data:image/svg+xml,<svg/>) [script](javascript:window.hit=1) [app](/settings/integrations?code=1)
[https://bank.example](${there}/r) <${there}/s> [^1]

[^1]: ${script}`

const call = (id: string, more: object) => ({
  type: 'tool-smtp_send_email',
  toolCallId: id,
  state: 'output-available',
  input: { to: [script], subject: script, html: hostileHtml() },
  output: { results: [{ title: script, url: 'javascript:window.hit=1', snippet: script }] },
  ...more,
})

const pending = () => [
  {
    type: 'approval',
    toolCallId: 'ask-1',
    toolName: script,
    approvalId: 'a',
    question: `Question: Send ${script}?`,
    values: {
      to: [`a@b.c\u202E`],
      html: hostileHtml(),
      attachments: [{ filename: script, content: script }],
    },
  },
  {
    type: 'input',
    toolCallId: 'ask-2',
    toolName: script,
    question: script,
    schema: {
      properties: {
        choice: { title: script, enum: [script], hint: script },
        text: { title: script, examples: [script] },
      },
    },
    values: { html: hostileHtml() },
  },
  {
    type: 'connection',
    toolCallId: 'ask-3',
    toolName: 'x',
    question: script,
    href: 'javascript:window.hit=1',
  },
]

describe.skipIf(!chromiumPath)('what others have written, in a browser', () => {
  beforeAll(async () => {
    elsewhere = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    page = await openDemo(browser, stack.url)
    page.context().on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(stack.url)) outside.push(request.url())
    })
    page.on('dialog', (dialog) => {
      outside.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
  })
  afterAll(() => void elsewhere?.close())

  /** As the server would tell it. */
  async function open(parts: unknown[], asked: unknown[] = []) {
    const messages = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: script }] },
      { id: 'a', role: 'assistant', parts },
    ]
    await page.unroute('**/conversations/hostile*')
    await page.route('**/conversations/hostile*', (route) =>
      route.fulfill({
        json: { id: 'hostile', title: script, status: 'completed', messages, pending: asked },
      }),
    )
    await page.goto(`${stack.url}/chat/hostile`)
    await page.getByRole('article', { name: 'Answer' }).waitFor()
  }

  it.each(['with the policy of its headers', 'in an app that has no policy'])(
    'runs nothing, loads nothing, opens no connection and leads nowhere, %s',
    async (where) => {
      const hasPolicy = where.startsWith('with')
      await page.route(`${stack.url}/chat/hostile`, async (route) => {
        const response = await route.fetch()
        const { 'content-security-policy': policy = '', ...others } = response.headers()
        expect(policy).toContain("default-src 'none'")
        await route.fulfill({ response, headers: hasPolicy ? response.headers() : others })
      })
      const parts = [
        { type: 'text', text: hostileMarkdown() },
        call('1', {}),
        call('2', { state: 'output-error', errorText: `Question: ${script}`, output: undefined }),
        { type: 'source-url', sourceId: 's', url: 'javascript:window.hit=1', title: script },
        { type: 'file', mediaType: 'image/png', url: `${there}/t.png`, filename: script },
        {
          type: 'file',
          mediaType: 'image/png',
          url: `${there}/functions/v1/chat/files/${crypto.randomUUID()}?token=1`,
          filename: 'v.png',
        },
        { type: 'file', mediaType: 'image/png', url: '/\\127.0.0.1/u.png', filename: script },
        { type: 'unheard-of' },
        null,
      ]
      await open(parts, pending())
      const log = page.getByRole('log')
      const folded = log.getByRole('button', { expanded: false })
      while ((await folded.count()) > 0) await folded.first().click()
      // By keyboard: the mails that they show grow, and move the next one.
      for (const fold of await log.locator('summary').all()) await fold.press('Enter')
      await expect.poll(() => log.locator('iframe').count()).toBe(4)
      for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
        await frame.getByText('A letter.').waitFor()
        for (const words of ['Send', 'Top', 'Self'])
          await frame.getByText(words, { exact: true }).dispatchEvent('click')
      }
      await page.route('**/inbox/messages', (route) => {
        const mail = { id: '1', messageId: script, from: script, subject: 'A letter', text: script }
        const lists = { to: [script], cc: [], bcc: [], replyTo: [], attachments: [], headers: [] }
        return route.fulfill({
          json: [{ ...mail, ...lists, html: hostileHtml(), date: '2026-11-22T10:00:00Z' }],
        })
      })
      expect(new URL(page.url()).pathname).toBe('/chat/hostile')
      const links = await log
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
      expect(links).toEqual([`${there}/r`, `${there}/s`, '/settings/integrations?from=/chat/hostile'])
      await log.getByRole('link', { name: `https://bank.example (${new URL(there).host})` }).waitFor()
      expect(await page.evaluate('window.hit')).toBeUndefined()

      await page.unroute(`${stack.url}/chat/hostile`)
      await page.getByRole('link', { name: 'Inbox' }).click()
      await page.getByRole('button', { name: /^A letter/ }).click()
      await page.frameLocator('main iframe').getByText('A letter.').waitFor()
      expect(await page.evaluate('window.hit')).toBeUndefined()
      expect(outside).toEqual([])
      expect(connections).toBe(0)
      // Nothing had to be kept back, either.
      expect(browser.complaints()).toEqual([])
    },
  )

  it('shows what is too much for a browser, and what stands beside it', async () => {
    await open([
      { type: 'text', text: `${'>'.repeat(10_000)} quoted` },
      { type: 'text', text: `${'- '.repeat(10_000)} listed` },
      { type: 'text', text: 'The rest of the answer' },
    ])
    await page.getByText('The rest of the answer').waitFor()
    expect(browser.complaints()).toEqual([])
  })

  it('signs nobody into an account by a link that was not asked for here', async () => {
    const response = await fetch(`${stack.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: stack.keys.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'eve@evil.example', password: 'a password of eve' }),
    })
    const { access_token, refresh_token } = await response.json()
    const link = `${stack.url}/#access_token=${access_token}&refresh_token=${refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`
    const tab = await page.context().newPage()
    await tab.goto(link)
    await tab.getByRole('heading', { name: 'Sign in as eve@evil.example?' }).waitFor()
    await tab.getByRole('button', { name: `Stay signed in as ${stack.demoUser.email}` }).click()
    await tab.getByText(stack.demoUser.email).waitFor()
    expect(tab.url()).not.toContain('access_token')

    // Whoever goes on is somebody else in every tab, and nothing of the first one is left in any.
    await open([{ type: 'text', text: 'A secret of the first user' }])
    await page.getByRole('textbox', { name: 'Message' }).fill('Half a message of the first user')
    await tab.goto('about:blank')
    await tab.goto(link)
    await tab.getByRole('button', { name: 'Continue as eve@evil.example' }).click()
    await page.getByText('eve@evil.example').waitFor()
    await page.unroute('**/conversations/hostile*')
    await page.getByRole('link', { name: 'Chat' }).click()
    expect(await page.getByText('A secret of the first user').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
    await tab.close()
  })
})
