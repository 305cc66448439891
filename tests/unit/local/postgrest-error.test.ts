import { inspect } from 'node:util'
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { toPostgrestError } from '../../../local/data-api/postgrest-error.ts'

describe('an error of the data API', () => {
  it.each([
    ['42501', 'permission denied for schema askback'],
    ['P0001', 'The shop is closed.'],
  ])('is one line in the terminal, for %s', (code, message) => {
    const error = Object.assign(new postgres.PostgresError(message), { code, message })
    expect(inspect(toPostgrestError(error))).toBe(`[data API] ${message} (${code})`)
  })
})
