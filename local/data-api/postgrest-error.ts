import { inspect } from 'node:util'
import type { PostgresError } from 'postgres'

/** HTTP statuses that PostgREST maps SQLSTATEs to: the longest matching prefix counts, everything else is 400. */
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

/** `@supabase/lite` handles these well: it knows the caller, and functions choose their own statuses by PGRST. */
const known = /^(42501|42703|PGRST|PT...)$/

/** Supabase hints at this, too (supautils, `hint_roles`). */
const grantHint =
  'The role of this request lacks the privilege: grant it in a migration, like `grant select on public.notes to authenticated`. New tables and functions in `public` need that unless auto_expose_new_tables is true in supabase/config.toml.'

/**
 * Rewrites an error of PostgreSQL as one that a function raises for PostgREST (SQLSTATE PGRST), the only kind whose
 * code, message, details and hint `@supabase/lite` keeps. It also writes each to the terminal: as one line, since it is an
 * answer to whoever has asked, and no fault of ours.
 */
export function toPostgrestError(error: PostgresError): { code: string; message: string; detail?: string } {
  const { code, message, detail = null } = error
  const hint = error.hint ?? (error.routine === 'aclcheck_error' ? grantHint : null)
  const rewritten = known.test(code)
    ? Object.assign(error, { hint })
    : {
        code: 'PGRST',
        message: JSON.stringify({ code, message, details: detail, hint }),
        detail: JSON.stringify({ status: chooseStatus(error), headers: {} }),
      }
  return Object.defineProperty(rewritten, inspect.custom, { value: () => `[data API] ${message} (${code})` })
}

function chooseStatus({ code, routine }: PostgresError): number {
  // PostgREST answers 500, but the request is at fault: that view cannot be written to. Named as of 17, and before.
  if (routine === 'error_view_not_updatable' || routine === 'rewriteTargetView') return 405
  return statuses[code] ?? statuses[code.slice(0, 2)] ?? 400
}
