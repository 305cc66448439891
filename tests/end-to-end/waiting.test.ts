import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  chromiumPath,
  findBarriers,
  sidewaysScroll,
  startBrowser,
  type TestBrowser,
} from '../support/browser.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { withDatabase } from '../support/chat-user.ts'
import { callTool, callTools, say } from '../support/model-reply.ts'

// What waits for its user is seen from everywhere, and can be decided where it is seen.

let chat: ChatStack
let browser: TestBrowser
let page: Page

const people = ['ada', 'bob', 'cleo']
const invitation = (name: string) => ({
  to: [`${name}@example.com`],
  subject: 'Summer party',
  body: `Dear ${name}, you are invited.`,
})
const everybody = `Invite everybody: ${people.map((name) => `${name}@example.com`).join(', ')}`
const { to: _, ...withoutRecipient } = invitation('ada')

const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
const cards = (on = page) => on.getByRole('group', { name: 'Approval needed' })
const cardFor = (name: string, on = page) => cards(on).filter({ hasText: `${name}@example.com` })
const form = (on = page) => on.getByRole('form', { name: /^Who should I send this email to\?/ })
const waitingLink = (on = page) => on.getByRole('link', { name: /^Waiting for you/ })
const note = (on = page) => on.getByRole('region', { name: 'Waiting for you' })

describe.skipIf(!chromiumPath)('what waits for its user', () => {
  beforeAll(async () => {
    chat = await startChatStack()
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:'))
        return say('That is done.')
      if (said.includes('Invite everybody'))
        return callTools(people.map((name) => ['smtp_send_email', invitation(name)] as const))
      if (said.includes('Invite ada')) return callTool('smtp_send_email', invitation('ada'))
      if (said.includes('Invite somebody')) return callTool('smtp_send_email', withoutRecipient)
      return say('Well.')
    })
    browser = await startBrowser()
    page = await browser.open(chat.stack.url)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
        select agents.id, 'smtp_send_email', 'always'
        from askback.agents join auth.users on users.id = agents.user_id
        where users.email = ${chat.stack.demoUser.email}
        on conflict (agent_id, tool_name) do update set approval = excluded.approval`,
    )
  })
  afterAll(async () => {
    await browser?.close()
    await chat?.stop()
  })
  beforeEach(async () => {
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(chat.stack.url)
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
  })
  afterEach(async () => {
    for (const tab of page.context().pages()) if (tab !== page) await tab.close()
    expect(browser.complaints()).toEqual([])
  })

  async function write(text: string, on = page) {
    await on.getByRole('textbox', { name: 'Message' }).fill(text)
    await on.getByRole('button', { name: 'Send', exact: true }).click()
  }

  it('is decided from its own page, one of three mails after the other, and other tabs hear of it', async () => {
    await write(everybody)
    await cards().nth(2).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${chat.stack.url}/agents`)
    await expect.poll(() => other.title()).toBe('(3) Agents · Askback')
    await expect.poll(() => waitingLink().innerText()).toMatch(/3$/)
    expect(await page.title()).toMatch(/^\(3\) .*Askback$/)

    await waitingLink().click()
    await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
    await cards().nth(2).waitFor()
    expect(await cards().count()).toBe(3)
    expect(await findBarriers(page)).toEqual([])
    await cardFor('bob').getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/^You approved · \d\d:\d\d/).waitFor()
    await page.getByText('Sent "Summer party" to "bob@example.com"').waitFor()
    expect(await recipients()).toEqual(['bob@example.com'])
    expect(await cards().count()).toBe(2)
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Askback')
    await expect.poll(() => other.title()).toBe('(2) Agents · Askback')
    expect(await findBarriers(page)).toEqual([])

    // By keyboard: the receipt has the focus until its user moves on.
    await cardFor('ada').getByRole('button', { name: 'Deny' }).press('Enter')
    const receipt = page.getByText(/^You denied this · \d\d:\d\d/)
    await receipt.waitFor()
    await expect.poll(() => cards().count()).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^You denied this/)

    await cardFor('cleo').getByRole('button', { name: 'Send email' }).click()
    await expect.poll(() => page.title()).toBe('Waiting for you · Askback')
    await expect.poll(() => other.title()).toBe('Agents · Askback')
    expect(await waitingLink().innerText()).toBe('Waiting for you')
    expect(await recipients()).toEqual(['bob@example.com', 'cleo@example.com'])
    await page.reload()
    await page.getByText('Nothing is waiting for you.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })
})
