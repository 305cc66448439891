import { z } from 'zod'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { SqlRefusal } from './sql-refusal.ts'

const foundSchema = z.object({ raised: z.boolean().nullable(), english: z.boolean() })

/**
 * Whether the application has worded a message under one of PostgreSQL's own codes (`raise exception … using errcode`).
 * PostgREST passes on nothing that tells: so it is known by the function in whose source the words stand, by being a
 * sentence, which PostgreSQL's messages never are
 * (https://www.postgresql.org/docs/current/error-style-guide.html), or by not being one of PostgreSQL's for that code.
 */
export async function isOfTheApp({ code, message }: SqlRefusal, rpc: CallRpc): Promise<boolean> {
  // Also if an application raises it to have the same effect.
  if (findOwn(code)?.test(message)) return false
  const { raised, english } = await findRaise(message, rpc)
  if (raised !== null) return raised
  return endsLikeASentence.test(message) || (english && isWordedOtherwise(code, message))
}

/** Also if nobody can tell: nothing of PostgreSQL's own is passed on then. */
async function findRaise(message: string, rpc: CallRpc): Promise<z.infer<typeof foundSchema>> {
  try {
    return foundSchema.parse(await rpc('find_raise', { p_message: message }))
  } catch (cause) {
    writeLog('raise-not-found', {}, cause)
    return { raised: null, english: false }
  }
}

const endsLikeASentence = /[.!?。！？]$/

/** PostgreSQL's messages for these codes, as it words them in English. */
const own: readonly (readonly [codes: RegExp, messages: RegExp])[] = [
  [/^23/, /\b(?:constraint|null values?|violates|partition)\b/],
  [/^(?:02000|P0002)$/, /^(?:query returned no rows|no data)/],
  [/^P0003$/, /^query returned more than one row/],
  [/^(?:57014|55P03)$/, /^(?:canceling statement|could not obtain lock)/],
  [/^40/, /^(?:could not serialize|deadlock detected)/],
]
/** These have no others. */
const complete = /^(?:23|02000|P0002|P0003)/
/** These have too many: they begin with a small letter or a keyword. */
const aboutData = /^(?:2[128]|42501)/

function findOwn(code: string): RegExp | undefined {
  return own.find(([codes]) => codes.test(code))?.[1]
}

function isWordedOtherwise(code: string, message: string): boolean {
  if (complete.test(code)) return !findOwn(code)?.test(message)
  return aboutData.test(code) && /^(?:\p{Lu}\p{Ll}|[^\p{Script=Latin}\p{P}\p{N}\p{S}\s])/u.test(message)
}
