import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import { schemaVersion } from '../../../shared/server/version.ts'
import type { Answer } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

/** As the functions call it: over the data API with the secret key. */
async function postParts(parts: unknown[]): Promise<{ sent: Answer; stored: Answer }> {
  const user = await db.createUser()
  const rpc = createRpc({
    url: 'http://127.0.0.1',
    serviceKey: database.keys.secretKey,
    fetch: (input, init) => database.dataApi.fetch(new Request(input, init)),
  })
  const messages = [{ id: 'm1', entry: { type: 'user-message', content: parts } }]
  const turn: Answer = await rpc('begin_turn', {
    p_user_id: user,
    p_request: { version: schemaVersion, form: 'ui', runId: randomUUID(), conversationId: 'c1', messages },
  })
  const page = await db.call('get_conversation', user, 'c1')
  return { sent: turn.history[0].entries[0].entry.content, stored: page.messages[0].entries[0].content }
}

test('what goes in comes out, in the same order', async () => {
  const parts = [
    { type: 'tool-x', zebra: 1, ant: { y: [], b: null, a: '' }, '': 0, ключ: 'значение', n: 1e21, f: 0.1 },
  ]
  const { sent, stored } = await postParts(parts)
  expect(JSON.stringify(sent)).toBe(JSON.stringify(parts))
  expect(JSON.stringify(stored)).toBe(JSON.stringify(parts))
})

test('what PostgreSQL cannot store is replaced, the rest of the text stays', async () => {
  const { sent } = await postParts([
    { type: 'text', text: 'a\u0000b \ud83d\ude00 \ud83d c \\u0000 "quoted" $1 :name' },
  ])
  expect(sent[0].text).toBe('a\ufffdb \ud83d\ude00 \ufffd c \\u0000 "quoted" $1 :name')
})

test('names that mean something elsewhere are data', async () => {
  const text = '{"__proto__":{"polluted":true},"constructor":"x"}'
  const { stored } = await postParts([JSON.parse(`{"type":"text","text":"x","metadata":${text}}`)])
  expect(JSON.stringify(stored[0].metadata)).toBe(text)
})

// Four times the longest text of a message; twice that is near the roles' 8 s of `statement_timeout` on a busy machine.
test('four megabytes arrive whole', async () => {
  const text = 'ü'.repeat(2 * 1024 * 1024)
  const { stored } = await postParts([{ type: 'text', text }])
  expect(stored[0].text === text).toBe(true)
}, 30_000)
