import type { PostgresError } from 'postgres'

/** HTTP statuses that PostgREST gives to SQLSTATEs: the longest beginning counts, everything else is 400. */
const statuses: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21000': 500,
  '23503': 409,
  '23505': 409,
  '25': 500,
  '25006': 405,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53': 503,
  '53400': 500,
  '54': 500,
  '55': 500,
  '57': 500,
  '57P01': 503,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  P0001: 400,
  XX: 500,
}

/** Handed on well by `@supabase/lite`: it knows who asks, and the statuses that functions choose themselves. */
const known = /^(42501|42703|PGRST|PT...)$/

/**
 * What PostgreSQL refused, in the form of an error that a function has worded for PostgREST itself (SQLSTATE PGRST),
 * because `@supabase/lite` keeps code, message, details and hint of no other kind.
 */
export function toPostgrestError(error: PostgresError): { code: string; message: string; detail?: string } {
  const { code, message, detail = null, hint = null } = error
  if (known.test(code)) return error
  return {
    code: 'PGRST',
    message: JSON.stringify({ code, message, details: detail, hint }),
    detail: JSON.stringify({ status: chooseStatus(error), headers: {} }),
  }
}

function chooseStatus({ code, routine }: PostgresError): number {
  // PostgREST says 500, but it is the request that is wrong: that view cannot be written to.
  if (routine === 'error_view_not_updatable') return 405
  return statuses[code] ?? statuses[code.slice(0, 2)] ?? 400
}
