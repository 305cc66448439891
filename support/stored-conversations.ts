import { withDatabase } from './chat-user.ts'
import { stepEnd } from './long-conversation.ts'
import type { TestStack } from './stack.ts'

/** Conversations of the demo user, an hour apart, the newest first; one of last month speaks of marmalade. */
export async function storeConversations(stack: TestStack, count: number): Promise<void> {
  await withDatabase(
    stack,
    (sql) => sql`
      with given as (
        select u.id as user_id, n, gen_random_uuid() as run_id,
          case when n = ${count} then now() - interval '30 days' else now() - n * interval '1 hour' end as at
        from auth.users u, generate_series(1, ${count}) n where u.email = ${stack.demoUser.email}
      ),
      talks as materialized (select * from given),
      conversations as (
        insert into askback.conversations (user_id, id, title, created_at, updated_at)
        select user_id, 'talk-' || n, 'Talk number ' || n, at, at from talks returning 1
      ),
      runs as (
        insert into askback.runs (
          id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at, started_at
        )
        select run_id, user_id, 'talk-' || n, run_id, run_id::text, run_id, 'completed', '', at, at
        from talks, (select count(*) from conversations) done returning 1
      ),
      messages as (
        insert into askback.messages (user_id, conversation_id, id, turn_id, role, created_at, written_at)
        select user_id, 'talk-' || n, id, run_id, role, at, at
        from talks, (select count(*) from runs) done,
          lateral (values ('u' || n, 'user', 1), (run_id::text, 'assistant', 2)) m (id, role, place)
        order by n, place returning 1
      )
      insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
      select user_id, 'talk-' || n, id, run_id, sequence, entry
      from talks, (select count(*) from messages) done, lateral (values
        ('u' || n, -1, json_build_object('type', 'user-message', 'content', 'What about number ' || n || '?')),
        (run_id::text, 0, '{"type":"step-start"}'::json),
        (run_id::text, 1, json_build_object('type', 'model-text', 'text', case when n = ${count}
          then 'Cook the <b>marmalade</b> slowly, with two oranges.' else 'There is nothing to say about it.' end)),
        (run_id::text, 2, ${JSON.stringify(stepEnd)}::text::json),
        (run_id::text, 3, '{"type":"run-end","status":"completed"}')
      ) e (id, sequence, entry)`,
  )
}
