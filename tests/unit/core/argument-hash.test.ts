import { expect, test } from 'vitest'
import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'

test('a process that continues with what a database kept of the arguments gets the same hash', async () => {
  const written = { subject: 'a\ud83d', body: ['x\u0000y \udc00', '\\u0000', '\\\u0000'] }
  const kept = { body: ['x\ufffdy \ufffd', '\\u0000', '\\\ufffd'], subject: 'a\ufffd' }
  expect(await argumentHash(written)).toBe(await argumentHash(kept))
  expect(await argumentHash({ body: '\\u0000' })).not.toBe(await argumentHash({ body: '\ufffd' }))
})
