import { beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { schemaVersion } from '../../shared/server/version.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { gate } from '../../support/gate.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../support/model-server.ts'
import { becomeVersion } from '../../support/schema-version.ts'
import { useStarted } from '../../support/use-started.ts'

// One item can be decided through many doors, late and often: it is decided once.

const chat = useStarted(() => startChatStack())
let other: ChatApp
beforeAll(async () => {
  other = startChatApp(chat)
})

type Decision = 'approve' | 'deny'
const mailTo = (name: string) => ({ to: [`${name}@example.com`], subject: `Hi ${name}`, body: 'Hello' })
const mails = () => chat.stack.inbox.messages()

/** A user whose conversation `c` waits for approval: of a mail to Ada, or of what the model calls instead. */
async function asked(first: ModelServerReply = callTool('smtp_send_email', mailTo('ada'))) {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([first, ...Array(9).fill(say('Done.'))])
  const { answer } = await user.post({
    id: 'c',
    message: 'Say hello to ada@example.com and grace@example.com',
    messageId: 'm-1',
  })
  const items = (answer.pending ?? []) as PendingItem[]
  return { user, items, item: items[0] as PendingItem }
}

/** A link to an item: of somebody else who decides with it, or of the user. */
async function linkTo(user: ChatUser, { itemId }: PendingItem, decides: boolean): Promise<string> {
  const { body } = await user.send('POST', `/open/${encodeURIComponent(itemId)}/link`, {
    decides,
    ...(decides ? { name: 'Ben' } : {}),
  })
  return new URL((body as { link: { url: string } }).link.url).hash.slice(1)
}

const at = (link: string, user?: ChatUser) => ({
  'content-type': 'application/json',
  'x-askback-link': link,
  ...(user ? { authorization: `Bearer ${user.token}` } : {}),
})
const byLink = (decision: Decision, link: string, user?: ChatUser) =>
  fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
    method: 'POST',
    headers: at(link, user),
    body: JSON.stringify({ decision }),
  })
const byCard = (user: ChatUser, item: PendingItem, decision: Decision) =>
  user.post(decisionOn(item, decision), { path: '/c/approval' })
/** The same request, which another process answers. */
const byOther = (user: ChatUser, item: PendingItem, decision: Decision) =>
  other.fetch(
    new Request('http://other/chat/c/approval', {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(decisionOn(item, decision)),
    }),
  )
const tick = async () =>
  fetch(`${chat.stack.url}/functions/v1/chat/clock`, {
    method: 'POST',
    headers: { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) },
  })
/** The item has been open for too long. */
const expire = (user: ChatUser) =>
  withDatabase(
    chat.stack,
    (sql) => sql`
      update askback.open_items set expires_at = now() - interval '1 second'
      where user_id = ${user.id} and closed_at is null`,
  )
/** How the items of a user were closed. */
const closed = (user: ChatUser) =>
  withDatabase(chat.stack, async (sql) =>
    (await sql`select closed_as from askback.open_items where user_id = ${user.id} order by closed_at`).map(
      ({ closed_as }) => closed_as,
    ),
  )

describe('all doors at once', () => {
  it.each([
    ['all say yes', ['approve', 'approve', 'approve', 'approve', 'approve'], false],
    ['some say no', ['deny', 'approve', 'deny', 'approve', 'deny'], false],
    ['and its time runs out', ['approve', 'deny', 'approve', 'approve', 'deny'], true],
  ] as const)('one decision: %s', async (_, said, isOver) => {
    const { user, item } = await asked()
    const [guest, own, listed] = await Promise.all([
      linkTo(user, item, true),
      linkTo(user, item, false),
      user.get('/open'),
    ])
    const [waiting] = (listed.body as { items: PendingItem[] }).items
    const statuses = await Promise.all([
      byCard(user, item, said[0]),
      byOther(user, waiting as PendingItem, said[1]),
      byLink(said[2], own, user),
      byLink(said[3], guest),
      byCard(user, waiting as PendingItem, said[4]),
      (isOver ? expire(user) : Promise.resolve()).then(tick),
    ]).then(([...replies]) => replies.slice(0, 5).map(({ status }) => status))
    // Whoever is late is told so.
    expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 410)).toEqual([])
    const ways = await closed(user)
    const [way] = ways.filter((one) => one !== null)
    expect(['approve', 'deny', 'expired']).toContain(way)
    expect(ways.filter((one) => one === 'approve' || one === 'deny').length).toBeLessThanOrEqual(1)
    expect(await mails()).toHaveLength(ways.includes('approve') ? 1 : 0)
    const decisions = await withDatabase(
      chat.stack,
      (sql) => sql`
        select 1 from askback.entries
        where user_id = ${user.id} and type = 'decision' and entry ->> 'decision' in ('approve', 'deny')`,
    )
    expect(decisions.length).toBe(ways.includes('approve') || ways.includes('deny') ? 1 : 0)
  })
})

describe('of two items of one turn', () => {
  it('the second is answered first, by a link, and the first on its card: each is done once', async () => {
    const { user, items } = await asked(
      callTools([
        ['smtp_send_email', mailTo('ada')],
        ['smtp_send_email', mailTo('grace')],
      ]),
    )
    expect(items).toHaveLength(2)
    const [first, second] = items as [PendingItem, PendingItem]
    const link = await linkTo(user, second, true)
    expect((await byLink('approve', link)).status).toBe(200)
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Hi grace'])
    expect((await byCard(user, first, 'approve')).status).toBe(200)
    expect((await mails()).map(({ subject }) => subject).sort()).toEqual(['Hi ada', 'Hi grace'])
    await Promise.all([byLink('approve', link), byCard(user, second, 'approve')])
    expect(await mails()).toHaveLength(2)
  })
})

describe('a click', () => {
  it('counts although something else was written meanwhile', async () => {
    const { user, item } = await asked()
    const { answer } = await user.post({
      id: 'c',
      message: 'What is the capital of France?',
      messageId: 'm-2',
    })
    expect(answer.text).toContain('Done.')
    expect((await byCard(user, item, 'approve')).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('after its time was over does nothing, and asks anew', async () => {
    const { user, item } = await asked()
    await expire(user)
    await tick()
    await byCard(user, item, 'approve')
    expect(await mails()).toEqual([])
    expect(await closed(user)).toContain(null)
  })

  it('after a no does nothing, and says how it was decided', async () => {
    const { user, item } = await asked()
    await byCard(user, item, 'deny')
    const late = await byCard(user, item, 'approve')
    expect([late.status, late.error?.code]).toEqual([409, 'already_decided'])
    expect(await mails()).toEqual([])
  })

  it('counts without a message beside it, also of a client that no longer has the conversation', async () => {
    const { user, item } = await asked()
    const part = {
      type: 'tool-smtp_send_email',
      toolCallId: item.toolCallId,
      state: 'approval-responded',
      input: mailTo('ada'),
      approval: { id: item.itemId, approved: true },
    }
    const { status } = await user.post({
      id: 'c',
      trigger: 'submit-message',
      messageId: item.messageId,
      messages: [{ id: item.messageId, role: 'assistant', parts: [part] }],
    })
    expect(status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('counts once after a stop, which ends what works and not what waits', async () => {
    const { user, item } = await asked()
    expect((await user.send('POST', '/c/stop')).body).toMatchObject({ stopped: false })
    expect((await byCard(user, item, 'approve')).status).toBe(200)
    expect((await byCard(user, item, 'approve')).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('after its conversation was deleted does nothing', async () => {
    const { user, item } = await asked()
    const link = await linkTo(user, item, true)
    expect((await user.send('DELETE', '/conversations/c')).status).toBe(200)
    expect((await byCard(user, item, 'approve')).status).toBe(404)
    expect((await byLink('approve', link)).status).toBe(403)
    expect(await mails()).toEqual([])
  })

  it('counts once if a new version was deployed between the question and the answer', async () => {
    const { user, item } = await asked()
    await withDatabase(chat.stack, (sql) => becomeVersion(sql, schemaVersion + 1))
    expect((await byCard(user, item, 'approve')).status).toBe(200)
    await withDatabase(chat.stack, (sql) => becomeVersion(sql, schemaVersion))
    expect((await byCard(user, item, 'approve')).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('counts once however often its platform sends it again: after 3 s, a minute and five minutes', async () => {
    const { user, item } = await asked()
    const link = await linkTo(user, item, false)
    const first = await byLink('approve', link, user)
    expect(first.status).toBe(200)
    for (const ago of ['3 seconds', '1 minute', '5 minutes']) {
      await withDatabase(chat.stack, async (sql) => {
        await sql`
          update askback.runs set started_at = started_at - ${ago}::interval, finished_at = finished_at - ${ago}::interval
          where user_id = ${user.id}`
        await sql`
          update askback.open_items set closed_at = closed_at - ${ago}::interval, asked_at = asked_at - ${ago}::interval
          where user_id = ${user.id}`
      })
      expect([200, 409]).toContain((await byLink('approve', link, user)).status)
      expect((await byCard(user, item, 'approve')).status).toBe(200)
    }
    expect(await mails()).toHaveLength(1)
  })

  it('is followed by whoever comes back while it is carried out, up to its end', async () => {
    const { user, item } = await asked()
    const held = gate()
    chat.model.use(async () => {
      await held.opened
      return say('Ada has it.')
    })
    const decided = byCard(user, item, 'approve')
    await expect.poll(mails).toHaveLength(1)
    const stream = await fetch(`${chat.stack.url}/functions/v1/chat/c/stream`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(stream.status).toBe(200)
    held.open()
    const [text] = await Promise.all([stream.text(), decided])
    const told = [...text.matchAll(/"type":"text-delta".*?"delta":"(.*?)"/g)].map(([, delta]) => delta)
    expect(told.join('')).toContain('Ada has it.')
    expect(await mails()).toHaveLength(1)
  })

  it('is answered with what came of it to whoever has lost the connection, also where the model failed', async () => {
    const { user, item } = await asked()
    chat.model.use(() => ({ status: 500 }))
    const decided = await byCard(user, item, 'approve')
    expect(decided.status).toBe(200)
    expect(await mails()).toHaveLength(1)
    // A client that reconnects finds the same answer, and a repeated click does not send again.
    const again = await byCard(user, item, 'approve')
    expect(again.answer.text).toBe(decided.answer.text)
    const stream = await fetch(`${chat.stack.url}/functions/v1/chat/c/stream`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect([200, 204]).toContain(stream.status)
    await stream.body?.cancel()
    expect(JSON.stringify((await user.get('/conversations/c')).body)).toContain('Hi ada')
    expect(await mails()).toHaveLength(1)
  })
})
