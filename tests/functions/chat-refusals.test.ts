import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { jsonTurn } from '../../shared/api/turn.ts'
import { ApiError } from '../../shared/server/http/api-error.ts'
import { parseRequest } from '../../shared/server/http/parse-request.ts'
import { beginRefused } from '../../supabase/functions/chat/turn/begin-refused.ts'

const folder = new URL('../../supabase/migrations/', import.meta.url)
const migrations = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

test('every code that the database refuses with has a status and words', () => {
  const codes = new Set(
    [...migrations.matchAll(/askback_private\.refusal\('(\w+)'\)/g)].map(([, code]) => code ?? ''),
  )
  assert.ok(codes.size > 5)
  for (const code of codes) {
    const error = beginRefused(code)
    assert.ok(error instanceof ApiError, code)
    assert.equal(error.code, code)
    assert.match(error.message, /^[A-Z].*\.$/)
  }
  assert.ok(!(beginRefused('new_code') instanceof ApiError))
})

test('the names that no conversation can have are the same in the database', () => {
  const [, list = ''] = /\bid not in \(([^)]*)\)/.exec(migrations) ?? []
  const names = [...list.matchAll(/'([^']*)'/g)].map(([, name]) => name ?? '')
  assert.deepEqual(names, ['conversations', 'v1', 'ag-ui', 'files', 'open', 'schedules', '.', '..'])
  const read = (id: string) => parseRequest(jsonTurn, { id, message: 'Hello' }).id
  for (const id of names) assert.throws(() => read(id), /"id" must be/)
  assert.equal(read('conversation'), 'conversation')
})
