import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { functionCases } from '../../support/function-cases.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let sql: postgres.Sql
beforeAll(async () => {
  stack = await startStack()
  sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql?.end()
  await stack?.stop()
})

/** As an app calls a function. */
async function call(name: string, args: Record<string, unknown>, get = false) {
  const client = createClient(stack.url, stack.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own.
    realtime: { transport: WebSocket as never },
  })
  const { data, error, status } = await client.rpc(name, args, { get })
  return error ? { status, ...error } : data
}

describe('the data API takes as PostgREST does', () => {
  it.each(functionCases)('$name', async ({ sql: statements, call: [name, args], answers }) => {
    await sql.unsafe(`${statements}; grant execute on function public.${name} to anon`)
    const answer = await call(name, args)
    if (typeof answers === 'object') expect(answer).toMatchObject(answers as object)
    else expect(answer).toBe(answers)
  })

  it('arguments of a GET', async () => {
    await sql.unsafe(`create function public.f_get("userId" integer, data jsonb, tags text[]) returns text
      language sql stable as $$ select "userId" || (data ->> 'a') || tags::text $$;
      grant execute on function public.f_get to anon`)
    expect(await call('f_get', { userId: 1, data: '{"a":"x"}', tags: '{a,b}' }, true)).toBe('1x{a,b}')
  })

  it('the one of several functions of a name that has these arguments, and says which there are', async () => {
    await sql.unsafe(`create function public.f_two("myId" integer) returns text language sql stable as $$ select 'one' $$;
      create function public.f_two("myId" integer, b text) returns text language sql stable as $$ select 'two' || b $$;
      grant execute on all functions in schema public to anon`)
    expect(await call('f_two', { myId: 1 })).toBe('one')
    expect(await call('f_two', { myId: 1, b: 'x' })).toBe('twox')
    const refused = await call('f_two', { myid: 1 })
    expect(refused).toMatchObject({ status: 404, code: 'PGRST202' })
    expect(JSON.stringify(refused)).toContain('myId')
    expect(JSON.stringify(refused)).not.toContain('askback_')
  })

  it('no name that would be a statement', async () => {
    expect(await call('f_two', { 'myId := 1); select 1; --': 1 })).toMatchObject({ status: 404 })
  })
})
