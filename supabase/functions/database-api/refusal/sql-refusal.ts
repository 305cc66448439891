import { isObject } from '../../../../shared/engine/core/json-value.ts'

/** What the data API says of a request that PostgreSQL, or itself, has refused. */
export interface SqlRefusal {
  /** SQLSTATE, or a code of PostgREST. */
  code: string
  message: string
  hint?: string
  status: number
}

/**
 * Reads the body of a refusal; undefined when it is none of the data API's. `details` is left behind: PostgreSQL
 * repeats whole rows in it.
 */
export function readSqlRefusal({ status, text }: { status: number; text: string }): SqlRefusal | undefined {
  const body = parse(text)
  if (!isObject(body) || typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  const { code, message, hint } = body
  if (!/^(?:[0-9A-Z]{5}|PGRST\w+)$/.test(code)) return undefined
  return { code, message, status, ...(typeof hint === 'string' && hint !== '' ? { hint } : {}) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
