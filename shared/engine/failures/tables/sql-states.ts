import type { Meaning } from './verdict.ts'

/** What PostgreSQL's message names: if it is an argument of the call, the caller can fix it. */
type Named = 'constraint' | 'column' | 'value'

export interface SqlState {
  meaning: Meaning
  names?: Named
}

/**
 * The meaning of SQLSTATEs (PostgreSQL's manual, appendix A), as classes and whole codes: the longest prefix wins.
 */
const states: readonly (readonly [beginnings: string, meaning: Meaning, names?: Named])[] = [
  // Connections, serialisation and deadlocks, resources, operators, the system: nothing is wrong with the call.
  ['08 40 53 57 58 XX 55P03 55006', { type: 'unavailable' }],
  ['57014', { type: 'timeout' }],
  ['0A 21 42 44 54', { type: 'invalid_value' }],
  ['22', { type: 'invalid_value' }, 'value'],
  ['23', { as: 409 }],
  ['23502', { type: 'missing_parameter' }, 'column'],
  ['23503', { type: 'not_found' }, 'constraint'],
  ['23001 23505 23P01', { type: 'conflict' }, 'constraint'],
  ['23514', { type: 'invalid_value' }, 'constraint'],
  ['25 55', { type: 'conflict' }],
  ['28', { type: 'authentication_error' }],
  ['42501', { type: 'permission_denied' }],
  ['42P01 42703 42883 P0002', { type: 'not_found' }],
  ['P0', { as: 400 }],
]

const byBeginning = new Map<string, SqlState>()
for (const [beginnings, meaning, names] of states) {
  for (const beginning of beginnings.split(' ')) byBeginning.set(beginning, { meaning, names })
}

const form = /^[0-9A-Z]{5}$/

/** What is known about a SQLSTATE; undefined for any other code, and for codes that an application has made up. */
export function findSqlState(code: string): SqlState | undefined {
  if (!form.test(code)) return undefined
  return byBeginning.get(code) ?? byBeginning.get(code.slice(0, 2))
}

/** The classes of PostgreSQL itself. */
const standardClasses = /^(?:0[0123ABFLPZ89]|10|2[0-9BDF]|3[489BDF]|4[024]|5[34578]|72|F0|HV|P0|XX)/

/** Worded by the application: `raise exception` without a code (P0001), or with one of its own. */
export function isRaised(code: string): boolean {
  return form.test(code) && (code === 'P0001' || !standardClasses.test(code))
}

/** The transaction was rolled back: true for every SQLSTATE except a lost connection and an unknown commit. */
export function provesNothingHappened(code: string): boolean {
  return form.test(code) && !code.startsWith('08') && code !== '40003'
}
