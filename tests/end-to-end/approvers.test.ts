import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, resize, sidewaysScroll } from '../../support/browser.ts'
import { approvals, messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  setMailApproval,
  signInDemo,
  signUp,
  signUpWithMail,
  withDatabase,
} from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What a group approves, as its user and as one of the group see it.

const [browser, chat] = useBrowser(() => startChatStack())
const mail = { to: ['ada@example.com'], subject: 'Summer party', body: 'Dear Ada, you are invited.' }
const sent = 'Sent "Summer party" to "ada@example.com"'

const sql = <Rows>(run: Parameters<typeof withDatabase<Rows>>[1]) => withDatabase(chat.stack, run)

/** Has "Finance" with this member approve emails of all agents. */
const rule = (who: 'group' | 'both', member: { id: string }) =>
  sql(async (db) => {
    const [group] = await db`insert into askback.groups (name) values ('Finance') returning id`
    await db`insert into askback.group_members (group_id, user_id) values (${group?.id}, ${member.id})`
    await db`
      insert into askback.tool_approvers (tool_name, who, group_id) values ('smtp_send_email', ${who}, ${group?.id})`
  })

describe.skipIf(!chromiumPath)('what a group approves', () => {
  let page: Page
  beforeAll(async () => {
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  beforeEach(async () => {
    await chat.stack.inbox.clear()
    chat.model.use([callTool('smtp_send_email', mail), ...Array(5).fill(say('Done.'))])
  })
  afterEach(async () => {
    await sql(async (db) => {
      await db`delete from askback.tool_approvers where tool_name = 'smtp_send_email'`
      await db`delete from askback.groups where name = 'Finance'`
      await db`delete from askback.conversations where true`
    })
    await resize(page, { width: 1280, height: 800 })
  })

  const press = (name: string) => approvals(page).getByRole('button', { name, exact: true }).click()
  const asked = async (user: ChatUser) => {
    const { answer } = await user.post({ id: crypto.randomUUID(), message: 'Invite ada@example.com' })
    return answer.pending?.[0]?.itemId ?? ''
  }

  it('says in the chat whom it waits for, and what became of it once both have approved', async () => {
    const member = await signUp(chat.stack)
    await rule('both', member)
    await page.goto(chat.stack.url)
    await write(page, 'Invite ada@example.com')
    await approvals(page).getByText('Needs two approvals: yours and one from Finance.').waitFor()
    expect(await approvals(page).getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.getByText('Waiting for your approval: Send').waitFor()
    await press('Send email')
    await approvals(page).getByText('Approved by you. Waiting for Finance.').waitFor()
    expect(await approvals(page).getByRole('button', { name: 'Send email' }).count()).toBe(0)
    expect(await approvals(page).getByRole('button', { name: 'Deny' }).count()).toBe(1)
    await page.getByText('Waiting for Finance: Send').waitFor()
    expect(await page.getByText('Waiting for your approval').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    const [item] = await sql((db) => db`select id from askback.open_items where closed_at is null`)
    await member.post({ decision: 'approve' }, { path: `/open/approvals/${item?.id}` })
    await page.reload()
    await page.getByText(new RegExp(`Approved by .* and ${member.email} \\(Finance\\)`)).waitFor()
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('is under Waiting for one of the group, alone, to be approved there, also on a phone', async () => {
    const [demo, user] = await Promise.all([signInDemo(chat.stack), signUpWithMail(chat.stack, 'always')])
    await rule('group', demo)
    await asked(user)
    await resize(page, { width: 360, height: 740 })
    await page.goto(`${chat.stack.url}/waiting`)
    await page.getByRole('heading', { name: 'For your groups' }).waitFor()
    await page.getByText(`Mail agent asks, for ${user.email}`).waitFor()
    await approvals(page).getByText('You decide this for Finance.').waitFor()
    expect(await page.getByText('Nothing is waiting for you.').count()).toBe(0)
    await expect.poll(() => page.title()).toMatch(/^\(1\) /)
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await press('Send email')
    await page.getByText(sent).waitFor()
    await expect.poll(() => page.title()).not.toMatch(/^\(/)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('is denied under Waiting with a reason', async () => {
    const [demo, user] = await Promise.all([signInDemo(chat.stack), signUpWithMail(chat.stack, 'always')])
    await rule('both', demo)
    await asked(user)
    await page.goto(`${chat.stack.url}/waiting`)
    await approvals(page).getByText('Needs two approvals: one from the user and one from Finance.').waitFor()
    await press('Deny')
    await page.getByText('Nothing was done.').waitFor()
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('is on the item’s own page, whose link its user passed on', async () => {
    const [demo, user] = await Promise.all([signInDemo(chat.stack), signUpWithMail(chat.stack, 'always')])
    await rule('both', demo)
    const made = await user.send('POST', `/open/${await asked(user)}/link`, {})
    await page.goto('about:blank')
    await page.goto((made.body as { link: { url: string } }).link.url)
    await press('Send email')
    await approvals(page).getByText('Approved by you. Waiting for the user.').waitFor()
    expect(await chat.stack.inbox.messages()).toEqual([])
    expect(await messageBox(page).count()).toBe(0)
  })
})
