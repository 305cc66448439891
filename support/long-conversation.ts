import { randomUUID } from 'node:crypto'
import type { Entry } from '../shared/engine/transcript/entry.ts'
import { withDatabase } from './chat-user.ts'
import type { TestStack } from './stack.ts'

/**
 * Stores a conversation of a user, the demo user unless another is named, as if it had been held: `turns` questions with their answers, in words, lists,
 * tables and code, every fifth with a call that was corrected. Its id is `long`.
 */
export async function storeLongConversation(
  stack: TestStack,
  turns: number,
  email = stack.demoUser.email,
): Promise<void> {
  const rows = Array.from({ length: turns }, (_, index) => makeTurn(index))
  await withDatabase(stack, async (database) => {
    const [user] = await database`select id from auth.users where email = ${email}`
    const own = { userId: user?.id, turns: rows }
    await database`
      with given as (
        select ${own.userId}::uuid as user_id, turn, number
        from json_array_elements(${JSON.stringify(own.turns)}::text::json) with ordinality as t (turn, number)
      ),
      conversation as (
        insert into askback.conversations (user_id, id, title, agent_id)
        select ${own.userId}, 'long', 'A long conversation', (
          select id from askback.agents where user_id = ${own.userId} order by created_at limit 1
        )
        returning 1
      ),
      runs as (
        insert into askback.runs (
          id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at,
          started_at, finished_at
        )
        select
          (turn ->> 'runId')::uuid, user_id, 'long', (turn ->> 'runId')::uuid, turn ->> 'runId',
          (turn ->> 'runId')::uuid, 'completed', '', now(), now() - (${turns} - number) * interval '1 minute', now()
        from given, conversation
        returning 1
      ),
      messages as (
        insert into askback.messages (user_id, conversation_id, id, turn_id, role, written_at)
        select user_id, 'long', id, (turn ->> 'runId')::uuid, role, now()
        from given, (select count(*) from runs) done,
          lateral (values (turn ->> 'runId' || '-1', 'user', 1), (turn ->> 'runId', 'assistant', 2)) m (id, role, place)
        order by number, place
        returning 1
      )
      insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
      select
        user_id, 'long', case when place = 1 then turn ->> 'runId' || '-1' else turn ->> 'runId' end,
        (turn ->> 'runId')::uuid, place - 2, entry
      from given, (select count(*) from messages) done,
        lateral json_array_elements(turn -> 'entries') with ordinality as e (entry, place)
    `
  })
}

function makeTurn(index: number): { runId: string; entries: Entry[] } {
  const steps = index % 5 === 0 ? [...correctedCall(index)] : []
  return {
    runId: randomUUID(),
    entries: [
      { type: 'user-message', content: `Question ${index + 1}: what is there to say about it?` },
      { type: 'run-start', runId: randomUUID(), now: '2026-11-22T06:12Z' },
      ...steps,
      { type: 'step-start' },
      { type: 'model-text', text: makeAnswer(index) },
      stepEnd,
      { type: 'run-end', status: 'completed' },
    ],
  }
}

export const stepEnd: Entry = {
  type: 'step-end',
  provider: 'p',
  model: 'm',
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
  durationMs: 1,
}

function correctedCall(index: number): Entry[] {
  const call = (attempt: number, input: Record<string, unknown>): Entry => ({
    type: 'call',
    toolCallId: `call-${index}-${attempt}`,
    name: 'smtp_send_email',
    toolName: 'smtp_send_email',
    effect: 'write',
    prepared: attempt > 1,
    input,
    repairs: [],
    startedAt: '2026-11-22T06:12:00.000Z',
    intent: 1,
    attempt,
  })
  const result = (attempt: number, told: object): Entry => ({
    type: 'result',
    toolCallId: `call-${index}-${attempt}`,
    status: attempt > 1 ? 'succeeded' : 'rejected',
    tries: attempt - 1,
    durationMs: 120,
    ...(told as { result: { ok: true; data: unknown } }),
  })
  const error = 'Question: Who should I send this email to? Please provide the recipient email address.'
  const missing = {
    ok: false,
    error,
    errorType: 'missing_parameter',
    resolver: 'model',
    details: { parameter: 'to' },
  }
  const mail = { subject: `About ${index}`, body: 'Hello,\n\nthis is about it.' }
  return [
    { type: 'step-start' },
    call(1, mail),
    stepEnd,
    result(1, { result: missing }),
    { type: 'step-start' },
    call(2, { ...mail, to: ['ada@example.com'] }),
    stepEnd,
    result(2, { result: { ok: true, data: { messageId: `<${index}@askback.test>` } } }),
  ]
}

const sentence = 'It depends on what is asked, and on what is there already, as it always does. '

/** An answer as models write them. */
export function makeAnswer(index: number): string {
  const words = sentence.repeat(2 + (index % 4))
  const table = '| Name | Count | Remark |\n|---|---:|---|\n| one | 1 | first |\n| two | 2 | second |'
  const code = '```ts\nexport function add(a: number, b: number): number {\n  return a + b\n}\n```'
  const list =
    '1. **First**, begin with `npm start`.\n2. Then look at [the page](https://example.com/page).\n3. Go on.'
  return [`Answer ${index + 1}. ${words}`, [list, code, table][index % 3], sentence].join('\n\n')
}
