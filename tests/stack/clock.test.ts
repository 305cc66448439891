import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, requireClock } from '../../shared/server/authentication/clock-signature.ts'
import { project, startStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let sql: postgres.Sql

beforeAll(async () => {
  const functionsDirectory = join(project, 'support/functions')
  stack = await startStack({ functionsDirectory, env: { ASKBACK_CLOCK_SECONDS: '0.05' } })
  sql = postgres(stack.adminUrl, { max: 1 })
})
afterAll(async () => {
  await sql?.end()
  await stack?.stop()
})

it('the clock wakes the chat function when a waiting run is due, and leaves it alone before', async () => {
  const run = randomUUID()
  await sql`insert into askback.conversations (user_id, id) select id, 'parked' from auth.users`
  await sql`
    insert into askback.runs (id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at)
    select ${run}, id, 'parked', ${randomUUID()}, 'm', ${run}, 'waiting', 'h', now() from auth.users`
  await sql`
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    select user_id, conversation_id, message_id, turn_id, 'assistant' from askback.runs`
  await sql`
    insert into askback.open_items (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at, resume_at)
    select user_id, conversation_id, 'item', message_id, id, turn_id, 'wait', 1, 'call', 'web_search', now(), now() + interval '1 hour' from askback.runs`
  // The clock has asked whether anything is due, several times.
  const asked = async () =>
    (await sql`select calls from pg_stat_user_functions where funcname = 'tick_clock'`)[0]?.calls ?? 0
  await sql`alter database postgres set track_functions = 'all'`
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = 'postgres'`
  await expect.poll(async () => Number(await asked()), { timeout: 20_000 }).toBeGreaterThan(2)
  expect(stack.pids()).not.toHaveProperty('chat')

  await sql`update askback.open_items set resume_at = now()`
  await expect.poll(() => stack.pids(), { timeout: 20_000 }).toHaveProperty('chat')
  const calls = async () => (await fetch(`${stack.url}/functions/v1/chat`)).json()
  await expect.poll(calls, { timeout: 20_000 }).not.toEqual([])
  const [{ method, signature }] = await calls()
  const request = new Request(stack.url, { method, headers: { [clockHeader]: signature } })
  await requireClock(request, readKeys(stack.dataDirectory).functionSecret)
})
