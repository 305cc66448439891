import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import type { ItemLink, LinkedItem, ListedLink } from '../../shared/api/item-link.ts'
import { readAppUrls } from '../../shared/server/links/app-urls.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { checkAnswer } from '../../support/api-answers.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { withClaims } from '../../support/other-app.ts'
import { useStarted } from '../../support/use-started.ts'

// One open item, decided by a link wherever somebody is: by its user after a sign-in, or by whom a link was made for.

const chat = useStarted(() => startChatStack())
let other: ChatApp
beforeAll(async () => {
  other = startChatApp(chat)
})

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const call = callTool('smtp_send_email', mail)
const mails = () => chat.stack.inbox.messages()

/** A user whose conversation `c` waits for the approval of a mail. */
async function asked(...then: ModelServerReply[]) {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([call, ...then, ...Array(3).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return { user, item }
}

interface Reply {
  status: number
  body: LinkedItem & { link: ItemLink; deleted: string; error?: { code: string; message: string } }
  headers: Headers
}

/** A request to the chat function with these headers and no others. */
async function send(
  method: string,
  path: string,
  { body, ...headers }: { body?: unknown } & Record<string, unknown> = {},
): Promise<Reply> {
  const response = await fetch(`${chat.stack.url}/functions/v1/chat${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  checkAnswer({ method, path: `/chat${path}` }, { status: response.status, json })
  return { status: response.status, body: json as Reply['body'], headers: response.headers }
}

const as = (user: { token: string }) => ({ authorization: `Bearer ${user.token}` })
const linkTo = (itemId: string, by: Record<string, unknown>, body: object = {}) =>
  send('POST', `/open/${encodeURIComponent(itemId)}/link`, { ...by, body })
const tokenOf = ({ body }: Reply) => new URL(body.link.url).hash.slice(1)
const open = (token: string, by: Record<string, unknown> = {}) =>
  send('GET', '/open/linked', { 'x-askback-link': token, ...by })
const decide = (token: string, body: object, by: Record<string, unknown> = {}) =>
  send('POST', '/open/linked', { 'x-askback-link': token, ...by, body })
const refusal = ({ status, body }: Reply) => [status, body.error?.code]

/** A link of Ben's that decides by itself. */
async function deciding(itemId: string, user: ChatUser) {
  const made = await linkTo(itemId, as(user), { decides: true, name: 'Ben Weber' })
  expect(made.status).toBe(201)
  return { token: tokenOf(made), link: made.body.link }
}

describe('a link without authority', () => {
  it('shows what is asked to whoever has it, and its values to the user alone', async () => {
    const { user, item } = await asked()
    const made = await linkTo(item.itemId, as(user))
    expect(made.status).toBe(201)
    expect(made.body.link).toMatchObject({ decides: false })
    const token = tokenOf(made)
    expect(made.body.link.url).toBe(`${chat.stack.url}/open#${token}`)

    const anybody = await open(token)
    expect(anybody.body).toMatchObject({ signIn: 'needed', agent: 'Mail agent', decides: false })
    expect(anybody.body.item).toMatchObject({ itemId: item.itemId, type: 'approval', confirm: item.confirm })
    expect(JSON.stringify(anybody.body)).not.toContain('Hello Ada')
    expect(anybody.headers.get('cache-control')).toBe('no-store')
    const stranger = await open(token, as(await signUp(chat.stack)))
    expect(stranger.body).toMatchObject({ signIn: 'other' })
    expect(JSON.stringify(stranger.body)).not.toContain('Hello Ada')
    const own = await open(token, as(user))
    expect(own.body.item.values).toEqual(mail)
    expect(own.body).not.toHaveProperty('signIn')
    expect(JSON.stringify(own.body)).not.toContain('Say hello')
  })

  it('is not made where the project has no app that it could lead to: the item stays open', async () => {
    const { user, item } = await asked()
    const appUrls = readAppUrls({})
    const made = await startChatApp(chat, { appUrls }).post(
      {},
      { token: user.token, path: `/open/${encodeURIComponent(item.itemId)}/link` },
    )
    expect([made.status, made.answer.error?.code]).toEqual([503, 'not_configured'])
    expect(made.answer.error?.message).toContain('ASKBACK_APP_URLS')
    const { items } = await (await other.get('/open', user.token)).json()
    expect(items.map(({ itemId }: PendingItem) => itemId)).toEqual([item.itemId])
  })

  it('decides only after a sign-in as the item’s user, however it was passed on', async () => {
    const { user, item } = await asked()
    const token = tokenOf(await linkTo(item.itemId, as(user)))
    const yes = { decision: 'approve' }
    expect(refusal(await decide(token, yes))).toEqual([401, 'sign_in_needed'])
    expect(refusal(await decide(token, yes, { apikey: chat.stack.keys.publishableKey }))).toEqual([
      401,
      'sign_in_needed',
    ])
    expect(refusal(await decide(token, yes, as({ token: chat.stack.keys.publishableKey })))).toEqual([
      401,
      'sign_in_needed',
    ])
    expect(refusal(await decide(token, yes, as(await signUp(chat.stack))))).toEqual([401, 'sign_in_needed'])
    expect(await mails()).toEqual([])

    const decided = await decide(token, yes, as(user))
    expect(decided.status).toBe(200)
    expect(decided.body).toMatchObject({
      decided: { as: 'approve', by: { door: 'page' } },
      outcome: { status: 'done', text: 'Sent "Hi" to "ada@example.com"' },
    })
    expect(await mails()).toHaveLength(1)
  })
})

describe('a link that decides by itself', () => {
  it('is decided by whoever has it, once, and the record says who and through which door', async () => {
    const { user, item } = await asked()
    const { token, link } = await deciding(item.itemId, user)
    expect(link).toMatchObject({ decides: true, name: 'Ben Weber' })
    expect(Date.parse(link.expiresAt) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    // Mail programs, chats and proxies open links before people do.
    for (const method of ['GET', 'HEAD', 'GET']) {
      const opened = await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
        method,
        headers: { 'x-askback-link': token },
      })
      expect(opened.status).toBe(200)
    }
    const page = await open(token)
    expect(page.body).toMatchObject({ name: 'Ben Weber', decides: true })
    expect(page.body).not.toHaveProperty('decided')
    expect(page.body.item.values).toEqual(mail)
    expect(page.body.parameters).toMatchObject({ type: 'object' })

    const first = await decide(token, { decision: 'approve' })
    expect(first.body).toMatchObject({
      decided: { as: 'approve', by: { door: 'link', name: 'Ben Weber' } },
      outcome: { status: 'done' },
    })
    // A press that was repeated because its reply was lost.
    const again = await decide(token, { decision: 'approve' })
    expect(again.body.outcome).toEqual(first.body.outcome)
    expect(refusal(await decide(token, { decision: 'deny' }))).toEqual([409, 'already_decided'])
    expect(await mails()).toHaveLength(1)
    const told = await user.get('/conversations/c?times=true')
    expect(told.body).toMatchObject({
      decided: [{ itemId: item.itemId, decision: 'approve', by: { door: 'link', name: 'Ben Weber' } }],
    })
    const [entry] = await withDatabase(
      chat.stack,
      (sql) =>
        sql`select entry -> 'by' as by from askback.entries where user_id = ${user.id} and type = 'decision'`,
    )
    expect(entry?.by).toEqual({ door: 'link', link: link.id, name: 'Ben Weber' })
  })

  it('takes an edited call, and a form', async () => {
    const { user, item } = await asked()
    const { token } = await deciding(item.itemId, user)
    const input = { ...mail, subject: 'Good morning' }
    expect((await decide(token, { decision: 'approve', input })).body.outcome?.status).toBe('done')
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Good morning'])

    await chat.stack.inbox.clear()
    const asking = await signUpWithMail(chat.stack, 'never')
    const { to: _, ...rest } = mail
    chat.model.use([...Array(3).fill(callTool('smtp_send_email', rest)), say('Sent.')])
    const { answer } = await asking.post({ id: 'f', message: 'Send a mail that says hello' })
    const form = answer.pending?.[0]
    expect(form?.type).toBe('input')
    const link = await deciding(form?.itemId ?? '', asking)
    expect((await open(link.token)).body.item.schema).toBeDefined()
    const filled = await decide(link.token, { values: { to: ['bob@example.com'] } })
    expect(filled.body).toMatchObject({ decided: { as: 'answer' }, outcome: { status: 'done' } })
    expect((await mails()).map(({ to }) => to)).toEqual([['bob@example.com']])
  })

  it('denies with a reason that the model reads', async () => {
    const { user, item } = await asked(say('I did not send it.'))
    const { token } = await deciding(item.itemId, user)
    const denied = await decide(token, { decision: 'deny', reason: 'Ada is away.' })
    expect(denied.body).toMatchObject({ decided: { as: 'deny' }, outcome: { status: 'not_done' } })
    expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).toContain('Ada is away.')
    expect(await mails()).toEqual([])
  })

  it('is made by the project’s secret key, for whoever has the item, and by no other key', async () => {
    const { item } = await asked()
    const { secretKey, publishableKey } = chat.stack.keys
    for (const by of [{ apikey: secretKey }, { authorization: `Bearer ${secretKey}` }]) {
      const made = await linkTo(item.itemId, by, { decides: true, name: 'Ben Weber' })
      expect(made.status).toBe(201)
      expect((await open(tokenOf(made))).body.item.itemId).toBe(item.itemId)
    }
    for (const key of [publishableKey, `${secretKey}x`, ''])
      expect((await linkTo(item.itemId, { apikey: key }, { decides: true })).status).toBe(401)
    expect(refusal(await linkTo(randomUUID(), { apikey: secretKey }))).toEqual([404, 'item_not_found'])
  })

  it('is not made with an API token, by another app, or by another user', async () => {
    const { user, item } = await asked()
    const made = await fetch(`${chat.stack.url}/functions/v1/integration-settings/tokens`, {
      method: 'POST',
      headers: { ...as(user), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Editor' }),
    })
    const { token } = (await made.json()) as { token: { value: string } }
    const { jwtSecret } = readKeys(chat.stack.dataDirectory)
    const app = await withClaims(user.token, jwtSecret)
    const callers = [as({ token: token.value }), as({ token: app }), as(await signUp(chat.stack)), {}]
    const refused = await Promise.all(callers.map((by) => linkTo(item.itemId, by, { decides: true })))
    expect(refused.map(refusal)).toEqual([
      [401, 'unauthorized'],
      [403, 'foreign_client'],
      [404, 'item_not_found'],
      [401, 'unauthorized'],
    ])
  })

  it('is not made by an app of the project’s own that Supabase’s OAuth server let in, either', async () => {
    const { user, item } = await asked()
    const { jwtSecret, secretKey, functionSecret } = readKeys(chat.stack.dataDirectory)
    const { makeChatApp } = await import('../../support/chat-app.ts')
    const own = makeChatApp(
      {
        SUPABASE_URL: chat.stack.url,
        SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
        ASKBACK_JWT_SECRET: jwtSecret,
        ASKBACK_FUNCTION_SECRET: functionSecret,
        ASKBACK_APP_URLS: 'https://app.example.com',
        ASKBACK_OWN_CLIENTS: 'our-app',
      },
      {},
    )
    const token = await withClaims(user.token, jwtSecret, { client_id: 'our-app' })
    const ask = async (body: object) =>
      await own.request(`/chat/open/${item.itemId}/link`, {
        method: 'POST',
        headers: { ...as({ token }), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await ask({ decides: true })).status).toBe(403)
    const made = await ask({})
    expect(made.status).toBe(201)
    expect(((await made.json()) as Reply['body']).link.url).toMatch(
      /^https:\/\/app\.example\.com\/open#askl_/,
    )
  })

  it('is kept by no browser, and neither is a refusal of one', async () => {
    const { user, item } = await asked()
    const replies = await Promise.all([
      linkTo(item.itemId, as(user)),
      linkTo(item.itemId, {}),
      linkTo(randomUUID(), as(user)),
      send('DELETE', `/open/links/${randomUUID()}`, as(user)),
      open('x'),
      send('GET', '/open/approvals', as(user)),
      send('GET', `/open/approvals/${item.itemId}`, as(user)),
    ])
    for (const { headers } of replies) expect(headers.get('cache-control')).toBe('no-store')
  })

  it('lasts a day at most', async () => {
    const { user, item } = await asked()
    const ask = (expiresIn: number) => linkTo(item.itemId, as(user), { decides: true, expiresIn })
    expect(refusal(await ask(86_401))).toEqual([400, 'bad_request'])
    expect((await ask(86_400)).status).toBe(201)
  })
})

describe('nothing is decided by a link', () => {
  const impossible = (why: string) => async (reply: Promise<Reply>) => {
    const { status, body } = await reply
    expect([status, body.error?.code]).toEqual([422, 'link_not_possible'])
    expect(body.error?.message).toContain(why)
  }

  it('that deletes or overwrites', async () => {
    const user = await signUpWithMail(chat.stack, 'always')
    const [document] = await withDatabase(
      chat.stack,
      (sql) => sql`select askback.create_document(${user.id}, 'key', 'Plan', 'Old words') as made`,
    )
    const { documentId: id } = document?.made ?? {}
    chat.model.use([
      callTool('docs_replace_text', { document_id: id, find: 'Old', replace_with: 'New' }),
      say('Done.'),
    ])
    const { answer } = await user.post({ id: 'd', message: 'Replace Old by New in the plan' })
    const [item] = answer.pending ?? []
    expect(item?.type).toBe('approval')
    await impossible('delete or overwrite')(linkTo(item?.itemId ?? '', as(user), { decides: true }))
  })

  it('that connects an account', async () => {
    const user = await signUp(chat.stack)
    chat.model.use([call, say('Connect it.')])
    const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com' })
    const [item] = answer.pending ?? []
    expect(item?.type).toBe('connection')
    await impossible('connect')(linkTo(item?.itemId ?? '', as(user), { decides: true }))
    const token = tokenOf(await linkTo(item?.itemId ?? '', as(user)))
    const skipped = await decide(token, { decision: 'skip' }, as(user))
    expect(skipped.body).toMatchObject({ decided: { as: 'skip' } })
  })

  it('that may have been done already', async () => {
    const { user, item } = await asked()
    const id = `unknown.${randomUUID()}`
    expect(refusal(await linkTo(id, as(user), { decides: true }))).toEqual([404, 'item_not_found'])
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.entries
        set entry = (entry::jsonb || '{"outcomeUnknown": true}')::json
        where user_id = ${user.id} and type = 'question'`,
    )
    await impossible('done already')(linkTo(item.itemId, as(user), { decides: true }))
  })
})

describe('the links of a user', () => {
  const linksOf = async (user: ChatUser) =>
    ((await send('GET', '/open/links', as(user))).body as unknown as { links: ListedLink[] }).links

  it('are listed with what they are about, without their tokens', async () => {
    const { user, item } = await asked()
    const { link } = await deciding(item.itemId, user)
    const usual = (await linkTo(item.itemId, as(user))).body.link
    const listed = await linksOf(user)
    expect(listed).toMatchObject([
      {
        id: link.id,
        itemId: item.itemId,
        conversationId: 'c',
        sentence: 'Send "Hi" to "ada@example.com"?',
        decides: true,
        name: 'Ben Weber',
        expiresAt: link.expiresAt,
      },
      { id: usual.id, decides: false },
    ])
    expect(JSON.stringify(listed)).not.toContain('askl_')
    expect(await linksOf(await signUp(chat.stack))).toEqual([])
  })

  it('are listed no longer once they are revoked or expired, or their item is decided', async () => {
    const { user, item } = await asked()
    const [{ link: revoked }, { link: expired }, { link, token }] = [
      await deciding(item.itemId, user),
      await deciding(item.itemId, user),
      await deciding(item.itemId, user),
    ]
    await send('DELETE', `/open/links/${revoked.id}`, as(user))
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.item_links set expires_at = now() where id = ${expired.id}`,
    )
    expect((await linksOf(user)).map(({ id }) => id)).toEqual([link.id])
    await decide(token, { decision: 'approve' })
    expect(await linksOf(user)).toEqual([])
  })
})

describe('a link leads to nothing more', () => {
  it('after it has expired', async () => {
    const { user, item } = await asked()
    const token = tokenOf(await linkTo(item.itemId, as(user), { decides: true, expiresIn: 3600 }))
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.item_links set expires_at = now() where user_id = ${user.id}`,
    )
    const late = await open(token)
    expect(refusal(late)).toEqual([410, 'link_expired'])
    // A browser that kept it would show it for another link.
    expect(late.headers.get('cache-control')).toBe('no-store')
    expect(refusal(await decide(token, { decision: 'approve' }))).toEqual([410, 'link_expired'])
    expect(await mails()).toEqual([])
  })

  it('after it was revoked, which only its user and the project do', async () => {
    const { user, item } = await asked()
    const { token, link } = await deciding(item.itemId, user)
    const revoke = (by: Record<string, unknown>) => send('DELETE', `/open/links/${link.id}`, by)
    expect(refusal(await revoke(as(await signUp(chat.stack))))).toEqual([404, 'link_not_found'])
    expect((await open(token)).status).toBe(200)
    expect((await revoke(as(user))).body).toEqual({ deleted: link.id })
    expect(refusal(await decide(token, { decision: 'approve' }))).toEqual([410, 'link_expired'])
    expect((await revoke({ apikey: chat.stack.keys.secretKey })).status).toBe(200)
    expect(await mails()).toEqual([])
  })

  it('if it was guessed, and after many guesses nothing is said for a while', async () => {
    const { user, item } = await asked()
    const { token } = await deciding(item.itemId, user)
    for (const wrong of ['', 'x', `${token}A`, token.slice(0, -1), 'askl_ü'.padEnd(48, 'a')])
      expect((await open(encodeURIComponent(wrong))).body.error?.code).toBe('link_not_valid')
    const guesses = await Promise.all(
      Array.from({ length: 40 }, () => open(`askl_${randomUUID().replaceAll('-', '').padEnd(43, 'a')}`)),
    )
    const limited = guesses.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThan(0)
    expect(limited[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    // Whoever guesses locks nobody out.
    expect((await open(token)).status).toBe(200)
  })

  it('after its conversation was deleted, and after its user was', async () => {
    const { user, item } = await asked()
    const { token } = await deciding(item.itemId, user)
    await user.send('DELETE', '/conversations/c')
    expect((await open(token)).body.error?.code).toMatch(/^link_not_valid|rate_limited$/)
    const second = await asked()
    const kept = await deciding(second.item.itemId, second.user)
    await withDatabase(chat.stack, (sql) => sql`delete from auth.users where id = ${second.user.id}`)
    expect((await decide(kept.token, { decision: 'approve' })).body.error?.code).toMatch(
      /^link_not_valid|rate_limited$/,
    )
    expect(await mails()).toEqual([])
  })

  it('while its user is banned', async () => {
    const { user, item } = await asked()
    const { token } = await deciding(item.itemId, user)
    await withDatabase(
      chat.stack,
      (sql) => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${user.id}`,
    )
    expect(refusal(await decide(token, { decision: 'approve' }))).toEqual([403, 'account_disabled'])
    expect(await mails()).toEqual([])
  })

  it('after the message was edited: it says that it was asked again', async () => {
    const { user, item } = await asked()
    const { token } = await deciding(item.itemId, user)
    chat.model.use([say('All right.')])
    const edit = {
      id: 'c',
      trigger: 'submit-message',
      messageId: 'm-1',
      messages: [{ id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Never mind' }] }],
    }
    await user.post(edit)
    expect(refusal(await decide(token, { decision: 'approve' }))).toEqual([409, 'already_decided'])
    expect((await open(token)).body.decided?.as).toBe('replaced')
    expect(await mails()).toEqual([])
  })
})

describe('the first answer wins', () => {
  it('of all doors at once: one decision and one mail', async () => {
    const { user, item } = await asked()
    const links = await Promise.all([1, 2, 3].map(() => deciding(item.itemId, user)))
    const signed = tokenOf(await linkTo(item.itemId, as(user)))
    const yes = { decision: 'approve' }
    const guest = async (token: string) =>
      (
        await other.fetch(
          new Request('http://other/chat/open/linked', {
            method: 'POST',
            headers: { 'x-askback-link': token, 'content-type': 'application/json' },
            body: JSON.stringify(yes),
          }),
        )
      ).status
    const answers = await Promise.all([
      user.post(decisionOn(item, 'approve'), { path: '/c/approval' }).then(({ status }) => status),
      ...links.map(({ token }, number) =>
        number === 0 ? guest(token) : decide(token, yes).then(({ status }) => status),
      ),
      decide(signed, yes, as(user)).then(({ status }) => status),
      ...links.map(({ token }) => open(token).then(({ status }) => status)),
    ])
    expect(answers.every((status) => status === 200 || status === 409)).toBe(true)
    expect(answers.slice(0, 5)).toContain(200)
    expect(await mails()).toHaveLength(1)
    const decisions = await withDatabase(
      chat.stack,
      (sql) => sql`select 1 from askback.entries where user_id = ${user.id} and type = 'decision'`,
    )
    expect(decisions).toHaveLength(1)
  })

  it('and whoever is late is told how it was decided, by whom, and what became of it', async () => {
    const { user, item } = await asked()
    const [ben, eva] = [
      await deciding(item.itemId, user),
      await linkTo(item.itemId, as(user), { decides: true, name: 'Eva' }),
    ]
    await decide(ben.token, { decision: 'approve' })
    expect(refusal(await decide(tokenOf(eva), { decision: 'approve' }))).toEqual([409, 'already_decided'])
    expect((await open(tokenOf(eva))).body).toMatchObject({
      decided: { as: 'approve', by: { door: 'link', name: 'Ben Weber' } },
      outcome: { status: 'done' },
    })
    expect(await mails()).toHaveLength(1)
  })

  it('and while it is being carried out, everybody sees that', async () => {
    const { user, item } = await asked()
    const [ben, eva] = [await deciding(item.itemId, user), await deciding(item.itemId, user)]
    const { arrived, release } = replyLate(chat.model, [say('Sent.')])
    const decided = decide(ben.token, { decision: 'approve' })
    await arrived
    expect((await open(eva.token)).body).toMatchObject({ decided: { as: 'approve' } })
    release()
    expect((await decided).body.outcome?.status).toBe('done')
  })

  it('also if the model fails after the answer was taken: what was done is told', async () => {
    const { user, item } = await asked({ status: 500, body: {} } as never)
    const { token } = await deciding(item.itemId, user)
    const decided = await decide(token, { decision: 'approve' })
    expect(decided.body).toMatchObject({ decided: { as: 'approve' }, outcome: { status: 'done' } })
    expect(await mails()).toHaveLength(1)
  })
})

it('speaks the reader’s language', async () => {
  const { user, item } = await asked()
  const { token } = await deciding(item.itemId, user)
  const { body } = await open(token, { 'x-askback-language': 'de' })
  expect(body.item.confirm).toContain('senden')
  const late = await open('askl_nothing', { 'x-askback-language': 'de' })
  expect(late.body.error?.message).toMatch(/^Dieser Link führt ins Leere|^Es wurden zu viele Links/)
  // Whoever has the link does not choose the user's language.
  await decide(token, { decision: 'approve' }, { 'x-askback-language': 'de' })
  const [kept] = await withDatabase(
    chat.stack,
    (sql) => sql`select language from askback.readers where user_id = ${user.id}`,
  )
  expect(kept?.language ?? null).toBeNull()
})

it('keeps the token nowhere: not in the database, and not in what is logged', async () => {
  const { user, item } = await asked()
  const { token } = await deciding(item.itemId, user)
  await decide(token, { decision: 'approve' })
  const rows = await withDatabase(
    chat.stack,
    (sql) => sql`select to_jsonb(l)::text as row from askback.item_links l where user_id = ${user.id}`,
  )
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(chat.stack.output()).not.toContain(token)
})
