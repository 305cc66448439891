import type { ToolSpecification } from '../../core/tool-specification.ts'
import { withoutNothing } from '../../core/without-nothing.ts'
import { recipientParameter } from '../../provenance/recipients.ts'
import { openParameters } from '../../transcript/open-fields.ts'
import { keptArguments } from '../../transcript/open-items.ts'
import { hasOutside } from '../../transcript/outside.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { findApproval, questionWithoutPermission } from './require-consent.ts'

/**
 * A form, and the approval that its call needs as far as it is known: one card asks for both. Without one where an account
 * has to be connected first, because nobody should approve what cannot be done.
 */
export function withApproval(run: Run, form: QuestionDraft): QuestionDraft {
  const plain = withoutApproval(form)
  const state = run.state.calls.get(form.toolCallId)
  const specification = run.specifications.get(form.toolName)
  // Whoever fills it in is not, or not alone, whoever approves it.
  if (!state || !specification || specification.approvers) return plain
  const args = keptArguments(form)
  const { effect, name: toolName } = specification
  const call: RoundCall = {
    state,
    call: { ...state.call, toolName, effect, input: args },
    key: state.key,
    specification,
    args,
  }
  const outside = (how: Parameters<typeof hasOutside>[2]) => hasOutside(run.entries, run.specifications, how)
  const asked = findApproval(run, call, args, outside)
  // Whether a standing permission covers it, only the claim of the whole call can tell.
  const approval = asked ?? (call.needs && questionWithoutPermission(run, call, args))
  if (!approval || run.tools.get(toolName)?.requirement?.(args)) return plain
  const { code, codeValues, reason, account, approves, addresses, repetition, remember } = approval
  const isOffered = remember !== undefined && !asksForRecipients(specification, form.open)
  return {
    ...plain,
    why: { code, values: codeValues },
    ...withoutNothing({ reason, account, approves, addresses, repetition }),
    ...(isOffered ? { remember } : {}),
  }
}

/** A form without what its approval asked: it asks for other values now, or of another call. */
function withoutApproval({
  why: _,
  reason: __,
  account: ___,
  approves: ____,
  addresses: _____,
  remember: ______,
  ...form
}: QuestionDraft): QuestionDraft {
  return form
}

/** Whether it is not known yet whom it goes to, so that no standing permission can be offered. */
function asksForRecipients(tool: ToolSpecification, open: readonly string[]): boolean {
  const name = recipientParameter(tool)
  const places = name === 'to' ? ['to', 'cc', 'bcc'] : [name]
  return name === undefined || openParameters(open).some((one) => places.includes(one))
}
