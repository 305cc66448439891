import { beforeAll, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

/** Snowflake ids, as many apps have them: a double takes the first three for one, and keeps the digits of the last. */
const ids = ['1161380288898609914', '1161380288898609915', '1161380288898609920', '1161380288898610000']
const [id = '', other = ''] = ids

const chat = useStarted(() => startChatStack())
let ada: ChatUser

const sql = (text: string) => withDatabase(chat.stack, (database) => database.unsafe(text))
const left = async () => (await sql('select id::text from public.channels order by id')).map((row) => row.id)

beforeAll(async () => {
  await sql(`
    create table public.channels (id bigint primary key, name text not null);
    alter table public.channels enable row level security;
    create policy all_of_them on public.channels to authenticated using (true) with check (true);
    grant select, update, delete on public.channels to authenticated;
    create function public.list_channels() returns setof public.channels language sql stable as
      $$ select * from public.channels order by id $$;
    create function public.rename_channel(channel_id bigint, name text) returns public.channels language sql as
      $$ update public.channels set name = rename_channel.name where id = channel_id returning * $$;
    create function public.delete_channel(channel_id bigint) returns setof public.channels language sql as
      $$ delete from public.channels where id = channel_id returning * $$;
    create function public.close_channel(channel_id bigint) returns setof public.channels language sql as
      $$ delete from public.channels where id = channel_id returning * $$;
    create function public.pay(amount numeric, facts jsonb default null) returns text language sql as
      $$ select amount::text || coalesce(' ' || facts::text, '') $$;
    select askback.offer_function(f, approval => 'never')
    from unnest(array['list_channels', 'rename_channel', 'delete_channel', 'pay']) f;
    select askback.offer_function('close_channel')`)
  ada = await signUp(chat.stack)
  await giveAgent(chat.stack, ada.id, 'never')
})

async function fill(): Promise<void> {
  await sql(`truncate public.channels; insert into public.channels select unnest(array[${ids}]), 'name'`)
}

/** What a call whose arguments the model writes as this text comes to. */
async function run(name: string, rawArguments: string, message: string) {
  chat.model.use([callTool(name, rawArguments), say('Done.')])
  return (await ada.post({ message })).answer
}

it('reads every id and every number with its digits', async () => {
  await fill()
  const answer = await run('list_channels', '{}', 'Which channels are there?')
  expect(answer.toolsUsed).toMatchObject([
    { ok: true, output: [...ids.slice(0, 3), 1161380288898610000].map((one) => ({ id: one })) },
  ])
  const told = chat.model.requests.at(-1)?.body.messages.at(-1)?.content
  for (const one of ids) expect(String(told)).toContain(one)
})

it('writes to the row whose id was given, as a number or as text', async () => {
  for (const written of [id, `"${other}"`]) {
    const answer = await run(
      'rename_channel',
      `{"channel_id": ${written}, "name": "clients"}`,
      `Rename the channel ${written} to clients`,
    )
    expect(answer.toolsUsed).toMatchObject([{ ok: true, input: { channel_id: written.replaceAll('"', '') } }])
  }
  const rows = await sql(`select id::text from public.channels where name = 'clients' order by id`)
  expect(rows.map((row) => row.id)).toEqual([id, other])
})

it('writes numeric and JSON with their digits', async () => {
  const answer = await run(
    'pay',
    '{"amount": 12345678901234567.25, "facts": {"id": 1161380288898609915}}',
    'Pay 12345678901234567.25',
  )
  expect(answer.toolsUsed[0]?.output).toBe('12345678901234567.25 {"id": "1161380288898609915"}')
})

it('takes an id from a form, typed as text or sent as a number', async () => {
  for (const value of [id, Number.NaN]) {
    await fill()
    chat.model.use([callTool('delete_channel', '{}'), say('Which one?'), say('Which one?'), say('Deleted.')])
    const { answer } = await ada.post({ message: 'Delete a channel' })
    const [item] = answer.pending ?? []
    expect(item?.schema?.properties).toMatchObject({ channel_id: { format: 'int64' } })
    const body = JSON.stringify({ itemId: item?.itemId, values: { channel_id: value } }).replace(
      'null',
      other,
    )
    const response = await fetch(`${chat.stack.url}/functions/v1/chat/${answer.conversationId}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body,
    })
    expect(await response.json()).toMatchObject({ status: 'completed' })
    expect(await left()).toEqual(ids.filter((one) => one !== (value === id ? id : other)))
  }
})

it('does what an edited approval says, to the digit', async () => {
  await fill()
  chat.model.use([callTool('close_channel', `{"channel_id": ${id}}`), say('Closed.')])
  const eve = await signUp(chat.stack)
  const { answer } = await eve.post({ message: `Close the channel ${id}` })
  const [asked] = answer.pending ?? []
  expect(asked?.question).toContain(id)
  const edited = await eve.post(decisionOn(asked, 'approve', { input: { channel_id: other } }), {
    path: `/${answer.conversationId}/approval`,
  })
  expect(edited.answer).toMatchObject({ status: 'completed' })
  expect(await left()).toEqual(ids.filter((one) => one !== other))
})
