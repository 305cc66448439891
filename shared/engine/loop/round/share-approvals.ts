import { addressesToRead } from '../consent/addresses-to-read.ts'
import { targetOf } from '../consent/destructive-write.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { Outcome, RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'

/**
 * Asks once in a round if one decision is enough: for all web addresses, and for all calls that delete, overwrite
 * or write to the same thing. The other calls wait with the first one. Forms are never shared: each call asks for its own values.
 */
export function shareApprovals(run: Run, calls: readonly RoundCall[]): void {
  const first = new Map<string, Extract<Outcome, { status: 'waiting' }>>()
  for (const call of calls) {
    const { judged } = call
    if (judged?.status !== 'waiting' || !judged.question || call.call.duplicateOf) continue
    const key = keyOf(judged.question, call)
    if (key === undefined) continue
    const asker = first.get(key)
    if (!asker?.question) {
      first.set(key, judged)
      continue
    }
    asker.question = join(run, asker.question, judged.question)
    call.judged = { status: 'waiting' }
  }
}

function keyOf(
  { reason, code, arguments: args }: QuestionDraft,
  { call, specification }: RoundCall,
): string | undefined {
  // Each of these is approved on its own.
  if (specification?.approvers) return undefined
  if (reason === 'addresses' && call.effect === 'read') return 'addresses'
  const isShared = reason === 'destructive' || code === 'approve_outside'
  return isShared && specification ? `${reason} ${targetOf(specification, args)}` : undefined
}

function join(run: Run, one: QuestionDraft, other: QuestionDraft): QuestionDraft {
  const together = [...(one.together ?? []), other.toolCallId]
  if (one.reason !== 'addresses') return { ...one, together }
  const { addresses, values } = addressesToRead(run, [...(one.addresses ?? []), ...(other.addresses ?? [])])
  return { ...one, addresses, codeValues: { ...one.codeValues, ...values }, together }
}
