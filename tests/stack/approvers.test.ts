import { beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import type { ItemLink, ItemToApprove, LinkedItem } from '../../shared/api/item-link.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { checkAnswer } from '../../support/api-answers.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { withClaims } from '../../support/other-app.ts'
import { useStarted } from '../../support/use-started.ts'

// Who approves what a tool would do: the user, one of a group of the project, or both of them.

const chat = useStarted(() => startChatStack())
let other: ChatApp
let groups = 0
beforeAll(async () => {
  other = startChatApp(chat)
})

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const call = callTool('smtp_send_email', mail)
const mails = () => chat.stack.inbox.messages()
const sql = <Rows>(run: Parameters<typeof withDatabase<Rows>>[1]) => withDatabase(chat.stack, run)

type Who = 'group' | 'both'

/** A group of the project with these members. */
async function groupOf(...members: ChatUser[]): Promise<{ id: string; name: string }> {
  const name = `Finance ${++groups}`
  return await sql(async (db) => {
    const [group] = await db`insert into askback.groups (name) values (${name}) returning id`
    for (const { id } of members)
      await db`insert into askback.group_members (group_id, user_id) values (${group?.id}, ${id})`
    return { id: String(group?.id), name }
  })
}

const leave = (group: { id: string }, { id }: ChatUser) =>
  sql((db) => db`delete from askback.group_members where group_id = ${group.id} and user_id = ${id}`)

/** Says who approves emails: of every agent of the user. */
const rule = (user: ChatUser, who: Who, group: { id: string }) =>
  sql(
    (db) => db`
      insert into askback.tool_approvers (tool_name, agent_id, who, group_id)
      select 'smtp_send_email', id, ${who}, ${group.id} from askback.agents where user_id = ${user.id}`,
  )

/** A user whose conversation `c` waits for the approval of an email by `who`. */
async function asked(who: Who, { approval = 'always' as 'always' | 'never', isMember = false } = {}) {
  await chat.stack.inbox.clear()
  const [user, member] = await Promise.all([signUpWithMail(chat.stack, approval), signUp(chat.stack)])
  const group = await groupOf(member, ...(isMember ? [user] : []))
  await rule(user, who, group)
  chat.model.use([call, ...Array(4).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return { user, member, group, item }
}

interface Reply {
  status: number
  body: ItemToApprove &
    LinkedItem & { items: ItemToApprove[]; link: ItemLink; error?: { code: string; message: string } }
}

async function send(method: string, path: string, by: Record<string, string>, body?: object): Promise<Reply> {
  const response = await fetch(`${chat.stack.url}/functions/v1/chat${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...by },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  checkAnswer({ method, path: `/chat${path}` }, { status: response.status, json })
  return { status: response.status, body: json as Reply['body'] }
}

const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
const list = async (user: ChatUser) => (await send('GET', '/open/approvals', as(user))).body.items
/** The number at the bell, over the Data API. */
const count = async ({ token }: ChatUser) => {
  const response = await fetch(`${chat.stack.url}/rest/v1/rpc/count_waiting`, {
    method: 'POST',
    headers: {
      apikey: chat.stack.keys.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-profile': 'askback',
    },
    body: '{}',
  })
  expect(response.status).toBe(200)
  return await response.json()
}
const vote = (user: ChatUser, itemId: string, body: object = { decision: 'approve' }) =>
  send('POST', `/open/approvals/${itemId}`, as(user), body)
const inChat = (user: ChatUser, item: PendingItem, more: object = {}) =>
  user.post(decisionOn(item, 'approve', more), { path: '/c/approval' })
const refusal = ({ status, body }: Reply) => [status, body.error?.code]
const linkTo = async (user: ChatUser, itemId: string) => {
  const { body } = await send('POST', `/open/${itemId}/link`, as(user), {})
  return new URL(body.link.url).hash.slice(1)
}
/** What the transcript says about who decided. */
const decisionOf = (user: ChatUser) =>
  sql(
    (db) =>
      db`select entry from askback.entries where user_id = ${user.id} and type = 'decision' order by sequence`,
  ).then((rows) => rows.map(({ entry }) => entry))

describe('what a group approves', () => {
  it('is shown to its members alone, each item by itself, with nothing else of the conversation', async () => {
    const { user, member, group, item } = await asked('group')
    expect(item.approvers).toEqual({
      who: 'group',
      group: group.name,
      canApprove: false,
      approved: [],
      sentence: `Waiting for ${group.name}.`,
    })
    const [shown, ...more] = await list(member)
    expect(more).toEqual([])
    expect(shown).toMatchObject({ agent: 'Mail agent', askedFor: user.email })
    expect(shown?.item).toMatchObject({ itemId: item.itemId, values: mail, type: 'approval' })
    expect(shown?.item.approvers).toMatchObject({
      canApprove: true,
      sentence: `You decide this for ${group.name}.`,
    })
    expect(JSON.stringify(shown)).not.toContain('Say hello')
    expect([await count(member), await count(user)]).toEqual([1, 1])
    expect(shown).not.toHaveProperty('conversationId')

    const stranger = await signUp(chat.stack)
    await groupOf(stranger)
    expect([await list(stranger), await count(stranger)]).toEqual([[], 0])
    expect(await list(user)).toEqual([])
    for (const path of ['', '?times=true'])
      expect((await member.get(`/conversations/c${path}`)).status).toBe(404)
    expect((await member.get('/c/stream')).status).not.toBe(200)
    expect((await member.get('/open')).body).toEqual({ items: [] })
  })

  it('is approved by one of it, once, and the transcript names who', async () => {
    const { user, member, item } = await asked('group')
    const yes = await vote(member, item.itemId)
    expect(yes.status).toBe(200)
    expect(yes.body).toMatchObject({
      decided: { as: 'approve', by: { door: 'approver', name: member.email } },
      outcome: { status: 'done', text: 'Sent "Hi" to "ada@example.com"' },
    })
    // The press again, because its reply was lost.
    expect((await vote(member, item.itemId)).body.outcome?.status).toBe('done')
    expect(await mails()).toHaveLength(1)
    expect([await list(member), await count(member)]).toEqual([[], 0])
    const [decision] = await decisionOf(user)
    expect(decision).toMatchObject({
      decision: 'approve',
      by: { door: 'approver', approver: member.id, name: member.email },
      approvedBy: [{ part: 'group', name: member.email, group: item.approvers?.group }],
      shown: { sentence: item.confirm },
    })
    const told = await user.get('/conversations/c?times=true')
    expect(told.body).toMatchObject({
      decided: [
        {
          decision: 'approve',
          by: { door: 'approver', name: member.email },
          approvedBy: [{ part: 'group', name: member.email }],
        },
      ],
    })
  })

  it('is not approved by its user, through no door', async () => {
    const { user, item } = await asked('group', { approval: 'never' })
    expect(await inChat(user, item)).toMatchObject({ status: 403, error: { code: 'not_an_approver' } })
    const remember = { pattern: '*@example.com', max: 20, per: 'day' }
    expect((await inChat(user, item, { remember })).status).toBeGreaterThanOrEqual(400)
    const token = await linkTo(user, item.itemId)
    const linked = { 'x-askback-link': token, ...as(user) }
    expect(refusal(await send('POST', '/open/linked', linked, { decision: 'approve' }))).toEqual([
      403,
      'not_an_approver',
    ])
    expect(refusal(await vote(user, item.itemId))).toEqual([404, 'item_not_found'])
    // The AI SDK's tool approval, and a yes that is only typed.
    const part = {
      type: 'tool-smtp_send_email',
      toolCallId: item.toolCallId,
      state: 'approval-responded',
      input: mail,
      approval: { id: item.itemId, approved: true },
    }
    const sdk = await user.post({
      id: 'c',
      trigger: 'submit-message',
      messageId: item.messageId,
      messages: [{ id: item.messageId, role: 'assistant', parts: [part] }],
    })
    expect([sdk.status, sdk.error?.code]).toEqual([403, 'not_an_approver'])
    expect((await user.post({ id: 'c', message: 'Yes, approved.' })).status).toBe(200)
    expect(await mails()).toEqual([])
  })

  it('is not approved by a link that decides, whenever that was made', async () => {
    const { user, member, item, group } = await asked('group')
    const ask = () => send('POST', `/open/${item.itemId}/link`, as(user), { decides: true })
    expect(refusal(await ask())).toEqual([422, 'link_not_possible'])
    await sql((db) => db`delete from askback.tool_approvers where group_id = ${group.id}`)
    const made = await ask()
    await rule(user, 'group', group)
    const token = new URL(made.body.link.url).hash.slice(1)
    const by = { 'x-askback-link': token }
    expect(refusal(await send('POST', '/open/linked', by, { decision: 'approve' }))).toEqual([
      403,
      'not_an_approver',
    ])
    expect(await mails()).toEqual([])
    expect((await vote(member, item.itemId)).body.outcome?.status).toBe('done')
  })

  it('is asked although the agent may use the tool without asking, and standing permissions do not count', async () => {
    const { user, group } = await asked('group', { approval: 'never' })
    const [agent] = await sql((db) => db`select id from askback.agents where user_id = ${user.id}`)
    const body = { agentId: agent?.id, toolName: 'smtp_send_email', pattern: '*@example.com' }
    expect((await user.post(body, { path: '/permissions' })).status).toBe(201)
    chat.model.use([call, say('Waiting.')])
    const { answer } = await user.post({ id: 'second', message: 'Say hello to ada@example.com' })
    expect(answer.pending?.[0]).toMatchObject({ type: 'approval', approvers: { group: group.name } })
    expect(answer.pending?.[0]).not.toHaveProperty('remember')
    expect(await mails()).toEqual([])
  })

  it('can be denied by its user, and by one of the group with a reason', async () => {
    const own = await asked('group')
    await own.user.post(decisionOn(own.item, 'deny'), { path: '/c/approval' })
    expect(refusal(await vote(own.member, own.item.itemId))).toEqual([409, 'already_decided'])

    const { user, member, item } = await asked('group')
    const no = await vote(member, item.itemId, { decision: 'deny', reason: 'Not this month.' })
    expect(no.body).toMatchObject({ decided: { as: 'deny' }, outcome: { status: 'not_done' } })
    expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).toContain('Not this month.')
    expect(await inChat(user, item)).toMatchObject({ status: 409, error: { code: 'already_decided' } })
    expect(await mails()).toEqual([])
  })

  it('is approved by its user, too, if they are one of the group', async () => {
    const { user, item } = await asked('group', { isMember: true })
    expect(item.approvers).toMatchObject({ canApprove: true })
    expect((await inChat(user, item)).answer.status).toBe('completed')
    expect(await mails()).toHaveLength(1)
  })

  it('is neither edited nor kept as a draft nor answered by an approver', async () => {
    const { user, member, item } = await asked('group')
    const edited = { decision: 'approve', input: { ...mail, to: ['eve@example.com'] } }
    const token = await linkTo(user, item.itemId)
    const linked = { 'x-askback-link': token, ...as(member) }
    for (const body of [edited, { decision: 'draft' }, { decision: 'skip' }, { values: mail }])
      expect(refusal(await send('POST', '/open/linked', linked, body))).toEqual([422, 'not_as_asked'])
    expect((await vote(member, item.itemId, { decision: 'draft' })).status).toBe(400)
    // What is no part of a vote is not read.
    await vote(member, item.itemId, edited)
    expect((await mails()).map(({ to }) => to)).toEqual([['ada@example.com']])
  })

  it('is approved on the item’s own page, by its members alone', async () => {
    const { user, member, item } = await asked('group')
    const token = await linkTo(user, item.itemId)
    const by = (one?: ChatUser) => ({ 'x-askback-link': token, ...(one ? as(one) : {}) })
    const stranger = await signUp(chat.stack)
    await groupOf(stranger)
    const anybody = await send('GET', '/open/linked', by())
    expect(anybody.body).toMatchObject({ signIn: 'needed' })
    expect(anybody.body.item).not.toHaveProperty('approvers')
    expect((await send('GET', '/open/linked', by(stranger))).body).toMatchObject({ signIn: 'other' })
    expect(refusal(await send('POST', '/open/linked', by(stranger), { decision: 'approve' }))).toEqual([
      401,
      'sign_in_needed',
    ])
    const page = await send('GET', '/open/linked', by(member))
    expect(page.body.item).toMatchObject({ values: mail, approvers: { canApprove: true } })
    expect(page.body).not.toHaveProperty('parameters')
    const yes = await send('POST', '/open/linked', by(member), { decision: 'approve' })
    expect(yes.body).toMatchObject({ decided: { by: { door: 'approver' } }, outcome: { status: 'done' } })
    expect(await mails()).toHaveLength(1)
  })
})

describe('what two people approve', () => {
  it('waits for one of the group after its user has approved it', async () => {
    const { user, member, group, item } = await asked('both')
    expect(item.approvers?.sentence).toBe(`Needs two approvals: yours and one from ${group.name}.`)
    for (const _ of ['yes', 'again']) {
      const { status, answer } = await inChat(user, item)
      expect(status).toBe(200)
      expect(answer.status).toBe('needs_approval')
      expect(answer.pending?.[0]).toMatchObject({
        itemId: item.itemId,
        approvers: {
          canApprove: false,
          approved: [{ part: 'user', name: user.email }],
          sentence: `Approved by you. Waiting for ${group.name}.`,
        },
      })
    }
    expect(await mails()).toEqual([])
    const [waiting] = await list(member)
    expect(waiting?.item.approvers?.sentence).toBe(`Approved by ${user.email}. Waiting for ${group.name}.`)
    const yes = await vote(member, item.itemId)
    expect(yes.body).toMatchObject({
      decided: { as: 'approve', approvedBy: [{ part: 'user' }, { part: 'group', name: member.email }] },
      outcome: { status: 'done' },
    })
    expect(await mails()).toHaveLength(1)
    const [decision] = await decisionOf(user)
    expect(decision.approvedBy).toEqual([
      { part: 'user', name: user.email },
      { part: 'group', name: member.email, group: group.name },
    ])
  })

  it('waits for its user after one of the group has approved it', async () => {
    const { user, member, item } = await asked('both')
    const first = await vote(member, item.itemId)
    expect(first.body).not.toHaveProperty('decided')
    expect(first.body.item.approvers).toMatchObject({
      canApprove: false,
      sentence: 'Approved by you. Waiting for the user.',
    })
    const told = (await user.get('/open')).body as { items: PendingItem[] }
    expect(told.items[0]?.approvers).toMatchObject({
      canApprove: true,
      sentence: `Approved by ${member.email}. Waiting for you.`,
    })
    expect((await inChat(user, item)).answer.status).toBe('completed')
    expect(await mails()).toHaveLength(1)
  })

  it('is never approved by one person, also not by a user who is in the group', async () => {
    const { user, item } = await asked('both', { isMember: true })
    for (const _ of ['once', 'twice']) expect((await inChat(user, item)).answer.status).toBe('needs_approval')
    expect(refusal(await vote(user, item.itemId))).toEqual([404, 'item_not_found'])
    expect(await mails()).toEqual([])
  })

  it('counts no yes of somebody who has left the group since, or is banned', async () => {
    const { user, member, group, item } = await asked('both')
    await vote(member, item.itemId)
    await leave(group, member)
    expect((await inChat(user, item)).answer.status).toBe('needs_approval')
    expect(refusal(await vote(member, item.itemId))).toEqual([404, 'item_not_found'])
    expect(await mails()).toEqual([])
    const second = await signUp(chat.stack)
    await sql(
      (db) => db`insert into askback.group_members (group_id, user_id) values (${group.id}, ${second.id})`,
    )
    const ban = (until: string | null) =>
      sql(
        (db) => db`update auth.users set banned_until = ${until}::text::timestamptz where id = ${second.id}`,
      )
    await ban('2099-01-01')
    expect(refusal(await vote(second, item.itemId))).toEqual([403, 'account_disabled'])
    await ban(null)
    expect((await vote(second, item.itemId)).body.outcome?.status).toBe('done')
    expect(await mails()).toHaveLength(1)
  })

  it('is denied by either, whatever the other one has said', async () => {
    const { user, member, item } = await asked('both')
    await inChat(user, item)
    expect((await vote(member, item.itemId, { decision: 'deny' })).body.decided).toMatchObject({ as: 'deny' })
    const mine = await asked('both')
    await vote(mine.member, mine.item.itemId)
    await mine.user.post(decisionOn(mine.item, 'deny'), { path: '/c/approval' })
    expect(refusal(await vote(mine.member, mine.item.itemId))).toEqual([409, 'already_decided'])
    expect(await mails()).toEqual([])
  })

  it('is carried out once if the user and several of the group press at the same time, on two servers', async () => {
    const { user, member, group, item } = await asked('both')
    const second = await signUp(chat.stack)
    await sql(
      (db) => db`insert into askback.group_members (group_id, user_id) values (${group.id}, ${second.id})`,
    )
    const elsewhere = (one: ChatUser) =>
      other.fetch(
        new Request(`http://other/chat/open/approvals/${item.itemId}`, {
          method: 'POST',
          headers: { ...as(one), 'content-type': 'application/json' },
          body: JSON.stringify({ decision: 'approve' }),
        }),
      )
    const presses = await Promise.all([
      inChat(user, item),
      vote(member, item.itemId),
      elsewhere(second),
      elsewhere(member),
      inChat(user, item),
      vote(second, item.itemId),
    ])
    for (const { status } of presses) expect([200, 409]).toContain(status)
    expect(await mails()).toHaveLength(1)
    expect(await decisionOf(user)).toHaveLength(1)
    const votes = await sql((db) => db`select part from askback.approvals where user_id = ${user.id}`)
    expect(votes.map(({ part }) => part).sort()).toEqual(['group', 'user'])
  })
})

describe('nobody goes round a group', () => {
  it('by leaving it, by another group, or by an app that was let in', async () => {
    const { member, group, item } = await asked('group')
    const stranger = await signUp(chat.stack)
    await groupOf(stranger)
    expect(refusal(await vote(stranger, item.itemId))).toEqual([404, 'item_not_found'])
    const { jwtSecret } = readKeys(chat.stack.dataDirectory)
    const token = await withClaims(member.token, jwtSecret)
    expect(refusal(await vote({ ...member, token }, item.itemId))).toEqual([403, 'foreign_client'])
    expect(refusal(await send('GET', '/open/approvals', as({ token })))).toEqual([403, 'foreign_client'])
    await leave(group, member)
    expect(refusal(await vote(member, item.itemId))).toEqual([404, 'item_not_found'])
    expect(await list(member)).toEqual([])
    expect(await mails()).toEqual([])
  })

  it('by writing its tables', async () => {
    const { user, group } = await asked('group')
    const write = (table: string, row: object) =>
      fetch(`${chat.stack.url}/rest/v1/${table}`, {
        method: 'POST',
        headers: {
          ...as(user),
          apikey: chat.stack.keys.publishableKey,
          'content-type': 'application/json',
          'content-profile': 'askback',
        },
        body: JSON.stringify(row),
      })
    const forged = await Promise.all([
      write('groups', { name: 'Mine' }),
      write('group_members', { group_id: group.id, user_id: user.id }),
      write('tool_approvers', { tool_name: 'smtp_send_email', who: 'user' }),
      write('approvals', { user_id: user.id, conversation_id: 'c', item_id: 'x', part: 'group' }),
    ])
    for (const { status } of forged) expect([401, 403, 404]).toContain(status)
  })

  it('by calling the function of the tool', async () => {
    const { user } = await asked('group')
    const response = await fetch(`${chat.stack.url}/functions/v1/smtp-api`, {
      method: 'POST',
      headers: { ...as(user), 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'send_email', params: mail }),
    })
    expect(await response.json()).toMatchObject({ ok: false, errorType: 'permission_denied' })
    expect(await mails()).toEqual([])
  })

  it('by deleting the agent while the item waits', async () => {
    const { user, member, item } = await asked('group')
    await sql((db) => db`delete from askback.agents where user_id = ${user.id}`)
    expect(await inChat(user, item)).toMatchObject({ status: 403, error: { code: 'not_an_approver' } })
    expect(await list(member)).toHaveLength(1)
    expect(await mails()).toEqual([])
  })

  it('with a yes from before there was a rule', async () => {
    await chat.stack.inbox.clear()
    const [user, member] = await Promise.all([signUpWithMail(chat.stack, 'always'), signUp(chat.stack)])
    chat.model.use([call, ...Array(4).fill(say('Sent.'))])
    const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com' })
    const [item] = answer.pending as PendingItem[]
    await rule(user, 'group', await groupOf(member))
    if (!item) throw new Error('Nothing waits.')
    expect(await inChat(user, item)).toMatchObject({ status: 403, error: { code: 'not_an_approver' } })
    expect((await vote(member, item.itemId)).body.outcome?.status).toBe('done')
    expect(await mails()).toHaveLength(1)
  })
})

describe('a form whose call a group approves', () => {
  it('is filled in by the user, and approved by the group afterwards', async () => {
    await chat.stack.inbox.clear()
    const [user, member] = await Promise.all([signUpWithMail(chat.stack, 'always'), signUp(chat.stack)])
    const group = await groupOf(member)
    await rule(user, 'group', group)
    const { to: _, ...rest } = mail
    const replies: ModelServerReply[] = [
      ...Array(3).fill(callTool('smtp_send_email', rest)),
      ...Array(3).fill(say('Sent.')),
    ]
    chat.model.use(replies)
    const { answer } = await user.post({ id: 'c', message: 'Send a mail that says hello' })
    const [form] = answer.pending as PendingItem[]
    expect(form?.type).toBe('input')
    expect(form).not.toHaveProperty('approvalId')
    const values = { to: ['ada@example.com'] }
    const filled = await user.post({ itemId: form?.itemId, values }, { path: '/c/answer' })
    const [item] = filled.answer.pending as PendingItem[]
    expect(item).toMatchObject({ type: 'approval', approvers: { group: group.name, canApprove: false } })
    expect(await mails()).toEqual([])
    expect((await vote(member, item?.itemId ?? '')).body.outcome?.status).toBe('done')
    expect(await mails()).toHaveLength(1)
  })
})

describe('the export of decisions', () => {
  const get = async (user: ChatUser, query: string) => {
    const response = await fetch(`${chat.stack.url}/functions/v1/chat/operator/decisions?${query}`, {
      headers: as(user),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))

  it('has who decided what, what they read, and what became of it, as JSON Lines for operators alone', async () => {
    const since = new Date().toISOString()
    const { user, member, item, group } = await asked('both')
    await inChat(user, item)
    await vote(member, item.itemId)
    const denied = await asked('group')
    await denied.user.post(decisionOn(denied.item, 'deny'), { path: '/c/approval' })
    const operator = await signUp(chat.stack)
    expect(await get(operator, `since=${since}`)).toMatchObject({ status: 403 })
    await sql((db) => db`insert into askback.operators (user_id) values (${operator.id})`)

    const told = await get(operator, `since=${since}`)
    expect(told.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    const [first, second, ...more] = linesOf(told.text)
    expect(more).toEqual([])
    expect(first).toEqual({
      time: expect.any(String),
      itemId: item.itemId,
      toolName: 'smtp_send_email',
      userId: user.id,
      agentId: item.agentId,
      decision: 'approve',
      who: { userId: member.id, name: member.email },
      door: 'approver',
      sentence: item.confirm,
      language: 'en-GB',
      argumentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      outcome: 'succeeded',
      approvers: { who: 'both', group: group.name },
      approvedBy: [
        { part: 'user', userId: user.id, name: user.email, group: null, at: expect.any(String) },
        { part: 'group', userId: member.id, name: member.email, group: group.name, at: expect.any(String) },
      ],
    })
    expect(second).toMatchObject({
      decision: 'deny',
      door: 'app',
      who: { userId: denied.user.id },
      outcome: 'cancelled',
      argumentHash: first.argumentHash,
    })
    expect(told.text).not.toContain('Hello Ada')
    const [act] = await sql(
      (db) => db`select action from askback.operator_log where operator_id = ${operator.id}`,
    )
    expect(act?.action).toBe('export_decisions')

    const later = await get(operator, `since=${encodeURIComponent(second.time)}`)
    expect(linesOf(later.text)).toMatchObject([{ itemId: second.itemId }])
    for (const bad of ['', 'since=', 'since=yesterday', 'since=2026-01-01', `since=${since}&after=x`]) {
      const refused = await get(operator, bad)
      expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([400, 'bad_request'])
    }
  })

  it('has at most 1,000 in one answer, whose header names the next page', async () => {
    const since = '2020-01-01T00:00:00Z'
    const { user, item } = await asked('group')
    await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })
    const operator = await signUp(chat.stack)
    await sql(async (db) => {
      await db`insert into askback.operators (user_id) values (${operator.id})`
      await db`
        insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, created_at)
        select e.user_id, e.conversation_id, e.message_id, e.run_id, 10000 + n, e.entry, '2021-01-01T00:00:00Z'
        from askback.entries e, generate_series(1, 1500) n
        where e.user_id = ${user.id} and e.type = 'decision'`
    })
    const page = await get(operator, `since=${since}`)
    expect(linesOf(page.text)).toHaveLength(1000)
    const [, next = ''] = /^<\?(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
    const rest = linesOf((await get(operator, next)).text)
    expect(rest.filter(({ time }) => time.startsWith('2021'))).toHaveLength(500)
    await sql((db) => db`delete from askback.conversations where user_id = ${user.id}`)
  })
})
