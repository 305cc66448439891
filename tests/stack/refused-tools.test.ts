import { beforeAll, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signInDemo, withDatabase } from '../../support/chat-user.ts'
import {
  callTool,
  fail,
  type ModelServerReply,
  type ModelServerRequest,
  say,
} from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())
let ada: ChatUser

interface WireTool {
  function: { name: string; parameters?: { properties?: Record<string, unknown> } }
}

beforeAll(async () => {
  await withDatabase(chat.stack, (sql) =>
    sql.unsafe(`
      create table public.parcels (empfänger text, größe numeric);
      create function public.send_parcel("empfänger" text, "größe" numeric) returns text language sql as $$
        insert into public.parcels values ($1, $2) returning 'Sent to ' || $1
      $$;
      create function public.count_parcels(city text) returns bigint language sql stable as $$
        select count(*) from public.parcels
      $$;
      grant all on public.parcels to authenticated;
      select askback.offer_function('send_parcel', approval => 'never');
      select askback.offer_function('count_parcels', effect => 'read')`),
  )
  ada = await signInDemo(chat.stack)
})

function toolsOf({ body }: ModelServerRequest): WireTool[] {
  return (body.tools ?? []) as WireTool[]
}

/** Anthropic's refusal of names of parameters, in its words. */
function refuseKeys(request: ModelServerRequest): ModelServerReply | undefined {
  const legal = /^[a-zA-Z0-9_.-]{1,64}$/
  const place = toolsOf(request).findIndex(({ function: { parameters } }) =>
    Object.keys(parameters?.properties ?? {}).some((key) => !legal.test(key)),
  )
  const errorMessage = `tools.${place}.custom.input_schema.properties: Property keys should match pattern '${legal.source}'`
  return place < 0 ? undefined : fail(400, { errorMessage })
}

/** The server that refuses; the model calls `name` once, then says that it is done. */
function use(
  refuses: (request: ModelServerRequest) => ModelServerReply | undefined,
  name: string,
  args: object,
) {
  const seen = chat.model.requests.length
  chat.model.use((request) => {
    const refusal = toolsOf(request).length > 0 ? refuses(request) : undefined
    if (refusal) return refusal
    return request.body.messages.at(-1)?.role === 'tool' ? say('Done.') : callTool(name, args)
  })
  return () => chat.model.requests.slice(seen).filter((request) => toolsOf(request).length > 0)
}

describe('a function of the app that a model’s server does not take', () => {
  it('works although its parameters are written with umlauts', async () => {
    const requests = use(refuseKeys, 'send_parcel', { empfanger: 'Käthe Größe', grosse: 12.5 })
    const { answer } = await ada.post({ message: 'Send Käthe Größe a parcel of 12.5 cm' })
    expect(answer).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(answer.toolsUsed).toMatchObject([
      { toolName: 'send_parcel', ok: true, input: { empfänger: 'Käthe Größe', größe: 12.5 } },
    ])
    const rows = await withDatabase(chat.stack, (sql) => sql`select * from public.parcels`)
    expect(rows.map((row) => ({ ...row }))).toEqual([{ empfänger: 'Käthe Größe', größe: '12.5' }])
    // Refused once, then asked for the call and for the answer.
    expect(requests()).toHaveLength(3)
    const history = requests().at(-1)?.body.messages
    expect(JSON.stringify(history)).toContain('{\\"empfanger\\":\\"Käthe Größe\\",\\"grosse\\":12.5}')
  })

  it('is left out alone, for good, and the operator reads which one and why', async () => {
    const isBad = ({ function: { name } }: WireTool) => name === 'count_parcels'
    const refuse = (request: ModelServerRequest) =>
      toolsOf(request).some(isBad)
        ? fail(400, { errorMessage: 'Failed to initialize samplers: failed to parse grammar' })
        : undefined
    const all = toolsOf(chat.model.requests.at(-1) as ModelServerRequest).length
    // Of so many tools it takes more than one message to find it; each is answered.
    for (const cm of [1, 2]) {
      const requests = use(refuse, 'send_parcel', { empfanger: 'Ada', grosse: cm })
      const { answer } = await ada.post({ message: `Send Ada a parcel of ${cm} cm` })
      expect(answer).toMatchObject({ status: 'completed', text: 'Done.' })
      // At most 7 to get there, and one more for the answer to the result.
      expect(requests().length).toBeLessThanOrEqual(8)
    }

    const again = use(refuse, 'send_parcel', { empfanger: 'Ada', grosse: 3 })
    const { answer } = await ada.post({ message: 'And one of 3 cm for Ada' })
    expect(answer).toMatchObject({ status: 'completed' })
    expect(again()).toHaveLength(2)
    const names = again().map((request) => toolsOf(request).map(({ function: { name } }) => name))
    for (const list of names) {
      expect(list).toContain('send_parcel')
      expect(list).not.toContain('count_parcels')
      expect(list).toHaveLength(all - 1)
    }
    expect(String(again()[0]?.body.messages[0]?.content)).toContain(
      'cannot be used with this model: count_parcels.',
    )

    const response = await fetch(`${chat.stack.url}/functions/v1/chat/operator/insights?days=1`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    const { refusedTools } = (await response.json()) as { refusedTools: object[] }
    expect(refusedTools).toMatchObject([
      {
        tool: 'count_parcels',
        model: 'scripted-model',
        why: 'the server does not accept the parameters, because it cannot make a grammar of them',
      },
    ])
  })
})
