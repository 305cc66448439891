import type { Sql } from 'postgres'
import type { QuestionEntry } from '../shared/engine/transcript/entry.ts'

/** Conversations of a user, `parked-<n>`, each with a run that waits for a time that has come: n milliseconds ago. */
export async function parkRuns(sql: Sql, userId: string, count: number): Promise<void> {
  await sql.begin(async (transaction) => {
    const each = transaction`from generate_series(1, ${count}::integer) n`
    await transaction`insert into askback.conversations (user_id, id) select ${userId}, 'parked-' || n ${each}`
    await transaction`
      insert into askback.messages (user_id, conversation_id, id, turn_id, role)
      select ${userId}, 'parked-' || n, 'user', md5(${userId} || n)::uuid, 'user' ${each}`
    await transaction`
      insert into askback.messages (user_id, conversation_id, id, turn_id, role)
      select ${userId}, 'parked-' || n, 'answer', md5(${userId} || n)::uuid, 'assistant' ${each}`
    await transaction`
      insert into askback.runs
        (id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at)
      select md5(${userId} || n)::uuid, ${userId}, 'parked-' || n, md5(${userId} || n)::uuid, 'answer',
        md5(${userId} || n)::uuid, 'waiting', 'hash', now() ${each}`
    const entries = [
      ['user', -1, { type: 'user-message', content: 'Search' }],
      [
        'answer',
        0,
        { type: 'run-start', runId: '00000000-0000-4000-8000-000000000000', now: '2026-01-01T00:00Z' },
      ],
      ['answer', 1, { ...wait, resumeAt: wait.askedAt }],
      ['answer', 2, { type: 'run-end', status: 'waiting' }],
    ] as const
    for (const [message, sequence, entry] of entries) {
      await transaction`
        insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
        select ${userId}, 'parked-' || n, ${message}, md5(${userId} || n)::uuid, ${sequence},
          ${JSON.stringify(entry)}::text::json ${each}`
    }
    await transaction`
      insert into askback.open_items
        (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at, resume_at)
      select ${userId}, 'parked-' || n, ${wait.itemId}, 'answer', md5(${userId} || n)::uuid, md5(${userId} || n)::uuid,
        'wait', 0, '', '', now(), now() - n * interval '1 millisecond' ${each}`
  })
}

/** A whole run waits, since it has taken longer than one may. */
const wait = {
  type: 'question',
  itemId: 'item',
  kind: 'wait',
  intent: 0,
  askedAt: '2026-01-01T00:00:00.000Z',
  toolCallId: '',
  toolName: '',
  asked: 'It is taking longer than one run may.',
  code: 'wait_time',
  arguments: {},
  open: [],
} satisfies QuestionEntry
