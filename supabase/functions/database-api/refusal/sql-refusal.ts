import { isObject, readJsonText } from '../../../../shared/engine/core/json-value.ts'

/** The data API's answer to a request that PostgreSQL, or PostgREST itself, has refused. */
export interface SqlRefusal {
  /** SQLSTATE, or a PostgREST code. */
  code: string
  /** Of the names in it, and of the two sides of a foreign key (both 23503), PostgREST passes on nothing but these words. */
  message: string
  hint?: string
  status: number
}

/**
 * Reads the body of a refusal; undefined if it is not the data API's. `details` is left out: PostgreSQL
 * repeats whole rows in it.
 */
export function readSqlRefusal({ status, text }: { status: number; text: string }): SqlRefusal | undefined {
  const body = readJsonText(text)
  if (!isObject(body) || typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  const { code, message, hint } = body
  if (!/^(?:[0-9A-Z]{5}|PGRST\w+)$/.test(code)) return undefined
  return { code, message, status, hint: typeof hint === 'string' && hint !== '' ? hint : undefined }
}
