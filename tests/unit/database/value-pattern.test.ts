import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { valuePattern } from '../../../shared/engine/provenance/value-pattern.ts'
import { userEntry } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'
import {
  accounts,
  addresses,
  amounts,
  ibans,
  identifiers,
  phones,
  urls,
  type ValueCase,
} from '../provenance/value-cases.ts'

const { db } = useDatabase()

const kinds: Record<string, { name: string; schema: JsonSchema; cases: ValueCase[] }> = {
  addresses: { name: 'to', schema: { type: 'string', format: 'email' }, cases: addresses },
  phones: { name: 'phone', schema: { type: 'string', description: 'E.164 number' }, cases: phones },
  amounts: { name: 'amount', schema: { type: 'number' }, cases: amounts },
  ibans: { name: 'iban', schema: { type: 'string', description: 'IBAN of the payee' }, cases: ibans },
  accounts: { name: 'account_number', schema: { type: 'string' }, cases: accounts },
  identifiers: { name: 'document_id', schema: { type: 'string' }, cases: identifiers },
  urls: { name: 'url', schema: { type: 'string', format: 'uri' }, cases: urls },
}

async function isFound(value: string | number, kind: Omit<(typeof kinds)[string], 'cases'>, said: string) {
  const pattern = valuePattern({ value, ...kind })
  const rows = await db.service`
    select normalize(askback_private.said_in(${JSON.stringify(userEntry(said))}::text::json), nfkc) ~ ${pattern ?? null}::text as found`
  return rows[0]?.found
}

test.each(Object.entries(kinds))('whatever counts as said is found by its pattern: %s', async (_, kind) => {
  const known = kind.cases.filter(([, value, verdict]) => verdict === 'run' && typeof value !== 'object')
  expect(known.length).toBeGreaterThan(5)
  const missed = []
  for (const [said, value] of known) {
    const isThere = await isFound(value as string | number, kind, said)
    if (!isThere) missed.push([said, value, valuePattern({ value: value as string, ...kind })])
  }
  expect(missed).toEqual([])
})

const text = { name: 'to', schema: { type: 'string' } } as const

test.each([
  ['a%@example.com', 'ada@example.com', kinds.addresses],
  ['a_a@example.com', 'ada@example.com', kinds.addresses],
  ['.*@example.com', 'ada@example.com', kinds.addresses],
  ['a|b@example.com', 'b@example.com', kinds.addresses],
  ['***=a@example.com', 'a@example.com', kinds.addresses],
  ['(?i)x', 'x', text],
  [50, 'I have 1950 and 507.', kinds.amounts],
])('nothing in a value is a wildcard: %s', async (value, said, kind) => {
  if (!kind) throw new Error('There is no such kind.')
  expect(await isFound(value, kind, said)).toBe(false)
  expect(await isFound(value, kind, `Take ${value}, please`)).toBe(true)
})

test('a value without letters and digits is not looked for', () => {
  for (const value of ['%', '_', '...', ' ', '🙂']) expect(valuePattern({ value, ...text })).toBeUndefined()
})
