import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../../shared/engine/core/canonical-json.ts'
import type { Question } from '../../../../shared/engine/transcript/entry.ts'

/**
 * The id of an approval: the call, and a hash of what is asked about it. Other arguments, other addresses, and doing it
 * once more are another approval.
 */
export function approvalId(question: Question): string {
  const { toolCallId, arguments: args, repetition = 0, uncertain, addresses } = question
  const asked = canonicalJson({ args, repetition, uncertain: uncertain === true, addresses })
  return `${toolCallId}.${createHash('sha256').update(asked).digest('hex').slice(0, 16)}`
}
