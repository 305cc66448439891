import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/keys.ts'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { signTicket } from '../../shared/server/authentication/internal-ticket.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../support/chat-user.ts'
import { callTool, say } from '../support/model-server.ts'
import { project } from '../support/stack.ts'

const page = readFileSync(join(project, 'docs/your-own-functions.md'), 'utf8')
const statements = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql)

let chat: ChatStack
let ada: ChatUser
let eve: ChatUser

const sql = (text: string) => withDatabase(chat.stack, (database) => database.unsafe(text))

beforeAll(async () => {
  chat = await startChatStack()
  for (const text of statements) await sql(text)
  ada = await signUp(chat.stack)
  eve = await signUp(chat.stack)
  await giveAgent(chat.stack, ada.id, 'never')
})
afterAll(() => chat?.stop())

/** What the model is told by the tools of one run, when it makes these calls and then says that it is done. */
async function run(user: ChatUser, ...calls: [name: string, args: object][]) {
  const seen = chat.model.requests.length
  chat.model.use([...calls.map(([name, args]) => callTool(name, args)), say('Done.')])
  const { answer } = await user.post({ message: 'Do it.' })
  const heard = chat.model.requests
    .slice(seen)
    .flatMap(({ body }) => body.messages.filter(({ role }) => role === 'tool').slice(-1))
    .map(({ content }) => String(content))
  return { answer, heard }
}

/** The function itself, as another caller than the chat function has it. */
async function callDirectly(body: object, headers: Record<string, string>) {
  const response = await fetch(`${chat.stack.url}/functions/v1/database-api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const titlesOf = async (user: ChatUser) =>
  (await sql(`select title from public.tickets where user_id = '${user.id}' order by id`)).map(
    ({ title }) => title,
  )

describe('a function of the application', () => {
  it('asks for approval, and is corrected by a question when a check refuses it, as the page says', async () => {
    chat.model.use([callTool('create_ticket', { title: 'Printer on fire', priority: 'urgent' })])
    const { answer } = await eve.post({ message: 'The printer is on fire, open an urgent ticket' })
    expect(answer).toMatchObject({ status: 'needs_approval', pending: [{ toolName: 'create_ticket' }] })
    expect(answer.pending?.[0]?.question).toContain('Open the ticket "Printer on fire"?')

    const seen = chat.model.requests.length
    chat.model.use([
      callTool('create_ticket', { title: 'Printer on fire', priority: 'high' }),
      say('It is open.'),
    ])
    const approve = (toolCallId: string | undefined) =>
      eve.post({ toolCallId, decision: 'approve' }, { path: `/${answer.conversationId}/approval` })
    const second = (await approve(answer.pending?.[0]?.toolCallId)).answer
    const told = chat.model.requests[seen]?.body.messages.at(-1)
    const question = /`(Question: .*?)` and the corrected call/.exec(page)?.[1] ?? 'no question on the page'
    expect(String(told?.content)).toContain(question)
    expect(String(told?.content)).toContain('{"title":"Printer on fire","priority":"<')
    expect(second.status).toBe('needs_approval')

    const last = (await approve(second.pending?.[0]?.toolCallId)).answer
    expect(last).toMatchObject({ status: 'completed', text: 'It is open.' })
    expect(last.toolsUsed.at(-1)).toMatchObject({
      ok: true,
      output: { title: 'Printer on fire', priority: 'high', user_id: eve.id },
    })
    expect(await titlesOf(eve)).toEqual(['Printer on fire'])
  })

  it('runs with the rights of the user: what others have stays unseen', async () => {
    await run(ada, ['create_ticket', { title: 'Of Ada' }])
    const { answer } = await run(ada, ['list_tickets', {}])
    expect(answer.toolsUsed).toMatchObject([
      { ok: true, output: [{ title: 'Of Ada', user_id: ada.id, priority: 'normal' }] },
    ])
  })

  it('says what is missing with the question of its schema, before anything is asked of the database', async () => {
    const { answer } = await run(
      ada,
      ['create_ticket', { priority: 'low' }],
      ['create_ticket', { title: 'Lamp', priority: 'low' }],
    )
    expect(answer.toolsUsed).toMatchObject([
      { ok: false, tries: 0, error: { errorType: 'missing_parameter', details: { parameter: 'title' } } },
      { ok: true },
    ])
  })
})

/** Calls it in the name of a user as the clock does, with a ticket. */
async function callWithTicket(user: ChatUser, tool: string, params: object) {
  const { functionSecret } = readKeys(chat.stack.dataDirectory)
  const idempotencyKey = crypto.randomUUID()
  const hash = await argumentHash(params)
  const ticket = { subject: user.id, run: 'r', tool, argumentHash: hash, idempotencyKey }
  const headers = { 'x-askback-ticket': await signTicket(ticket, functionSecret) }
  return callDirectly({ action: tool, params, idempotencyKey }, headers)
}

const callWithToken = (user: ChatUser, tool: string, params: object) =>
  callDirectly({ action: tool, params }, { authorization: `Bearer ${user.token}` })

describe('arguments and results of every type', () => {
  const every = {
    n: 7,
    big: 9007199254740991,
    price: 12.5,
    ok: true,
    id: '0b34bdb2-5b3e-4dbd-9ac0-62ba2d4e4a2c',
    d: '2026-02-28',
    at: '2026-02-28T10:00:00+00:00',
    t: '09:30:00',
    tags: ['a,b', '{c}', 'd "e"'],
    counts: [1, 2],
    j: { a: [null, 'x'] },
    list: [1, { b: 2 }],
    prio: 'high',
    stars: 4,
    place: { street: 'Main "St", 5', zip: 123 },
    places: [
      { street: 'A', zip: 1 },
      { street: 'B', zip: 2 },
    ],
    p_text: 'null',
  }
  beforeAll(async () => {
    await sql(`
      create type public.urgency as enum ('low', 'high');
      create domain public.stars as integer check (value between 1 and 5);
      create type public.place as (street text, zip integer);
      create function public.every_type(
        n integer, big bigint, price numeric, ok boolean, id uuid, d date, at timestamptz, t time, tags text[],
        counts integer[], j jsonb, list json, prio urgency, stars stars, place place, places place[], p_text text,
        omitted text default 'default', out answer jsonb
      ) language sql stable as $$ select jsonb_build_object(
        'n', n, 'big', big, 'price', price, 'ok', ok, 'id', id, 'd', d, 'at', at, 't', t, 'tags', tags,
        'counts', counts, 'j', j, 'list', list, 'prio', prio, 'stars', stars, 'place', place, 'places', places, 'p_text', p_text,
        'omitted', omitted) $$;
      create function public.three_rows() returns table (id integer, title text) language sql stable as
        $$ values (1, 'a'), (2, 'b'), (3, null) $$;
      create function public.one_column() returns table (id integer) language sql stable as $$ values (1), (2) $$;
      create function public.no_rows() returns setof public.tickets language sql stable as $$ select * from public.tickets where false $$;
      create function public.texts() returns setof text language sql stable as $$ values ('a'), ('b') $$;
      create function public.one_text() returns text language sql stable as $$ select 'Question: data' $$;
      create function public.no_value() returns void language sql as $$ $$;
      create function public.nobody() returns public.tickets language sql stable as $$ select null::public.tickets $$;
      select askback.offer_function(name) from unnest(array['every_type', 'three_rows', 'one_column', 'no_rows', 'texts', 'one_text', 'no_value']) name`)
  })

  it.each([
    ['with the user’s token', callWithToken],
    ['with a ticket', callWithTicket],
  ])('%s', async (_, call) => {
    const data = async (name: string, params: object = {}) => {
      const { body } = await call(ada, name, params)
      return body.ok ? body.data : body
    }
    expect(await data('every_type', every)).toEqual({ answer: { ...every, omitted: 'default' } })
    expect(await data('three_rows')).toEqual([
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
      { id: 3, title: null },
    ])
    expect(await data('one_column')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await data('no_rows')).toEqual([])
    expect(await data('texts')).toEqual(['a', 'b'])
    expect(await data('one_text')).toBe('Question: data')
    expect(await data('no_value')).toEqual({ done: true })
  })
})

describe('without a token of the user', () => {
  it('it runs as the same user, with the same rights and the same refusals', async () => {
    const made = await callWithTicket(ada, 'create_ticket', { title: 'By the clock' })
    expect(made.body).toMatchObject({ ok: true, data: { title: 'By the clock', user_id: ada.id } })
    const { body } = await callWithTicket(ada, 'list_tickets', {})
    expect(body.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual(body.data.map(() => ada.id))
    expect(body.data).toContainEqual(made.body.data)
    const refused = await callWithTicket(ada, 'create_ticket', { title: 'By the clock', priority: 'hihg' })
    expect(refused.body).toMatchObject({
      ok: false,
      errorType: 'invalid_value',
      details: {
        parameter: 'priority',
        correction: { arguments: { title: 'By the clock', priority: 'high' } },
      },
    })
  })

  it('a ticket for one function opens no other', async () => {
    const { functionSecret } = readKeys(chat.stack.dataDirectory)
    const ticket = {
      subject: ada.id,
      run: 'r',
      tool: 'list_tickets',
      argumentHash: await argumentHash({}),
      idempotencyKey: 'k',
    }
    const headers = { 'x-askback-ticket': await signTicket(ticket, functionSecret) }
    const call = { action: 'create_ticket', params: {}, idempotencyKey: 'k' }
    expect((await callDirectly(call, headers)).status).toBe(401)
  })
})
