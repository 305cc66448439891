import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { Verification } from '../../../../shared/engine/core/tool-specification.ts'
import { isInResult } from '../../../../shared/integrations/mcp/find-in-result.ts'
import type { ForeignTool } from '../../../../shared/integrations/mcp/foreign-tool.ts'
import { searchFor, type VerifiedBy } from '../../../../shared/integrations/mcp/verified-by.ts'
import type { CallOutcome } from '../protocol/call-tool.ts'

/** The tool that tells what became of calls of another one. */
export interface Verifier extends VerifiedBy {
  reader: ForeignTool
}

/** Milliseconds for each look: a call waits for the first. */
const findMs = 5_000

/** Calls that tool. */
type Read = (tool: ForeignTool, args: Record<string, unknown>, signal: AbortSignal) => Promise<CallOutcome>

/**
 * What is known before a call is made: that it cannot be found yet. Without that, what is found later may have been there
 * before, or be the tool saying again what it was asked for.
 */
export async function noteBefore(
  verifier: Verifier,
  args: Readonly<Record<string, unknown>>,
  read: Read,
): Promise<{ absentIn: string | null }> {
  const search = searchFor(verifier, args)
  const isThere = search && (await find(verifier, search, read))
  return { absentIn: search && isThere === false ? await keyOf(verifier, search) : null }
}

/**
 * Whether a call with a lost answer can be found by now, and could not before it was made. What is not found may still come: a
 * server may be at work, or its search be late.
 */
export async function verifyCall(
  verifier: Verifier,
  args: Readonly<Record<string, unknown>>,
  note: unknown,
  read: Read,
): Promise<Verification> {
  const search = searchFor(verifier, args)
  if (!search || !isObject(note) || note.absentIn !== (await keyOf(verifier, search))) return 'unknown'
  const isThere = await find(verifier, search, read)
  if (isThere === undefined) return 'unknown'
  return isThere ? 'sent' : 'not_found'
}

/** Both looks must ask the same. */
function keyOf({ reader }: Verifier, { arguments: args, found }: VerifiedBy): Promise<string> {
  return argumentHash({ tool: reader.foreignName, arguments: args, found })
}

/** Undefined if the server does not tell. Never rejects. */
async function find(
  { reader }: Verifier,
  { arguments: args, found }: VerifiedBy,
  read: Read,
): Promise<boolean | undefined> {
  try {
    const outcome = await read(reader, args, AbortSignal.timeout(findMs))
    return outcome.kind === 'done' ? isInResult(outcome.result, found) : undefined
  } catch {
    return undefined
  }
}
