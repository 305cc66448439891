import type { TransactionSql } from 'postgres'

/**
 * Stores conversations as if they had been held: `count` for each of these users, with so many messages. Every fifth turn,
 * from the first on, has sent a mail. Their ids are those of `storedConversation`.
 */
export async function storeConversations(
  sql: TransactionSql,
  userIds: readonly string[],
  { count, messages }: { count: number; messages: number },
): Promise<void> {
  await sql`
    create temporary table held on commit drop as
    select
      a.user_id, a.id as agent_id, 'stored-' || c as conversation_id, gen_random_uuid() as run_id, n,
      now() - interval '1 day' + n * interval '1 second' as at
    from askback.agents a
    cross join generate_series(0, ${count - 1}::integer) c
    cross join generate_series(1, ${messages / 2}::integer) n
    where a.user_id = any (${userIds}::uuid[])`
  await sql`
    insert into askback.conversations (user_id, id, title, agent_id, last_intent, created_at, updated_at)
    select user_id, conversation_id, 'Mails', agent_id, max(n), min(at), max(at) from held
    group by user_id, conversation_id, agent_id`
  await sql`
    insert into askback.runs (
      id, user_id, conversation_id, turn_id, message_id, root_run_id, agent_id, status, request_hash, lease_expires_at,
      started_at, finished_at
    )
    select run_id, user_id, conversation_id, run_id, run_id::text, run_id, agent_id, 'completed', '', at, at, at
    from held`
  await sql`
    insert into askback.messages (user_id, conversation_id, id, turn_id, role, created_at, written_at)
    select user_id, conversation_id, case role when 'user' then 'of-' || run_id else run_id::text end, run_id, role, at, at
    from held, unnest(array['user', 'assistant']) with ordinality roles (role, place)
    order by n, place`
  await sql`
    insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
    select
      user_id, conversation_id, case sequence when -1 then 'of-' || run_id else run_id::text end, run_id, sequence, entry
    from held, lateral (values
      (-1, json_build_object('type', 'user-message', 'content', 'What is there to say about number ' || n || '?')),
      (0, '{"type":"step-start"}'),
      (1, case when n % 5 = 1 then json_build_object(
        'type', 'call', 'toolCallId', 'call-' || n, 'name', 'smtp_send_email', 'toolName', 'smtp_send_email',
        'effect', 'write', 'prepared', true, 'input', ${sql.json(mail)}::json, 'repairs', '[]'::json,
        'startedAt', '2026-11-22T06:12:00.000Z', 'intent', n, 'attempt', 1
      ) end),
      (2, case when n % 5 = 1 then json_build_object(
        'type', 'result', 'toolCallId', 'call-' || n, 'status', 'succeeded', 'tries', 1, 'durationMs', 120,
        'result', ${sql.json(sent)}::json
      ) end),
      (3, json_build_object('type', 'model-text', 'text', ${answer}::text)),
      (4, '{"type":"step-end","provider":"p","model":"m","finishReason":"stop","usage":{"inputTokens":1,"outputTokens":1},"durationMs":1}'),
      (5, '{"type":"run-end","status":"completed"}')
    ) e (sequence, entry)
    where entry is not null`
  await sql`
    insert into askback.tool_executions (
      id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, intent, arguments,
      argument_hash, idempotency_key, status, result, created_at, settled_at
    )
    select
      gen_random_uuid(), user_id, conversation_id, run_id, run_id, run_id || '/' || n, 'call-' || n, 'smtp_send_email',
      'write', n, ${sql.json(mail)}, run_id::text, run_id::text, 'succeeded', ${sql.json(sent)}, at, at
    from held where n % 5 = 1`
  await sql`
    insert into askback.llm_usage (
      user_id, conversation_id, run_id, agent_id, sequence, provider, model, input_tokens, output_tokens, created_at
    )
    select user_id, conversation_id, run_id, agent_id, 4, 'p', 'm', 1, 1, at from held`
  await sql`
    insert into askback.usage (user_id, agent_id, hour, model_calls, tokens, cost_usd)
    select user_id, agent_id, date_trunc('hour', at), count(*), 2 * count(*), 0 from held
    group by user_id, agent_id, date_trunc('hour', at)`
  await sql`drop table held`
}

/** The id of a stored conversation, by its number. */
export function storedConversation(number: number): string {
  return `stored-${number}`
}

const mail = { to: ['ada@example.com'], subject: 'What there is to say', body: 'Hello,\n\nthis is about it.' }
const sent = { ok: true, data: { messageId: '<1@example.com>' } }
const answer = 'It depends on what is asked, and on what is there already, as it always does. '.repeat(4)
