import { z } from 'zod'
import { optional, withWords } from './field-words.ts'
import { chatAnswer } from './message.ts'
import { remembered } from './permission.ts'
import { defineRoute } from './route.ts'
import { begins } from './turn.ts'

// Decisions about open items.

const fromPending = 'Take it from "pending".'
const name = () => withWords(z.string().min(1).max(200), { instead: fromPending })
const members = (expected: string) => withWords(z.record(z.string(), z.unknown()), { expected })

const inputAnswer = z
  .object({
    itemId: optional(name()),
    toolCallId: optional(name()).describe('The waiting call, as an alternative to `itemId`.'),
    values: members('an object in the shape of the pending schema'),
  })
  .refine(({ itemId, toolCallId }) => itemId !== undefined || toolCallId !== undefined, {
    params: { why: 'item_unnamed' },
  })
  .meta({ id: 'InputAnswer' })

export const approval = z
  .object({
    toolCallId: name(),
    decision: z.enum(['approve', 'deny', 'draft']),
    approvalId: withWords(z.string().min(1).max(200), {
      instead: 'Take it from "pending": it names the question that you decide.',
      refusal: 'approval_id_missing',
    }),
    values: optional(members('an object in the shape of the pending schema')).describe(
      'For an `input` item: its open fields, filled in. Nothing is approved without those that are required.',
    ),
    input: optional(members('the arguments of the call as an object')).describe(
      'All arguments of the call, if the user edited them; of an `input` item, all that were known.',
    ),
    reason: optional(z.string().overwrite((text) => text.slice(0, 2000))),
    remember: optional(remembered).describe(
      'From now on the agent may do this without asking. The pattern has to cover every recipient of this call, which itself does not count.',
    ),
  })
  .refine(({ decision, remember }) => remember === undefined || decision === 'approve', {
    path: ['remember'],
    params: { why: 'denial_remembered' },
  })
  .meta({ id: 'Approval' })

const skip = z.object({ itemId: name() }).meta({ id: 'Skip' })

const resumption = z
  .object({
    itemId: optional(name()).describe('The `connection` item that the user connected from.'),
    asksFirst: optional(z.boolean()).describe('If true, a waiting write needs approval before it continues.'),
  })
  .optional()
  .meta({ id: 'Resumption' })

const params = z.object({ id: z.string() })
const group = 'Decisions'
const shared = {
  method: 'POST',
  group,
  caller: 'user',
  params,
  answer: () => chatAnswer(),
  refusals: [...begins, 'model_not_available'],
} as const

export const answerQuestion = defineRoute({
  ...shared,
  decides: true,
  path: '/chat/:id/answer',
  summary: 'Answer a question',
  notes:
    'The values complete the waiting call exactly as entered; the model does not rewrite it. They approve nothing: if the item has an `approvalId`, the approval is asked next. To fill in and approve at once, [send both](#approve-or-deny-a-call). If the item has a `server`, an MCP server asks in the middle of a call: the values go to that server alone, no model reads them, and they are no part of the call. A page that the server asks to open is answered with `{}` once the user has been there.',
  body: inputAnswer,
})

export const decideApproval = defineRoute({
  ...shared,
  decides: true,
  path: '/chat/:id/approval',
  summary: 'Approve or deny a call',
  notes:
    'Takes every item that has an `approvalId`: an `approval`, or an `input` whose call also needs approval. `"decision": "approve"` with `values` fills in and approves at once; `deny` needs no values. Another question follows only if the values give a new reason, such as a repetition. Repeating a decision returns its result. A different decision is refused with `already_decided`.',
  body: approval,
  refusals: [
    ...shared.refusals,
    'approval_id_missing',
    'pattern_too_wide',
    'pattern_does_not_fit',
    'permission_not_possible',
    'too_many_permissions',
  ],
})

export const skipItem = defineRoute({
  ...shared,
  decides: true,
  path: '/chat/:id/skip',
  summary: 'Skip a question or a connection',
  notes: 'An MCP server that asks is told that the user does not answer, and the call goes on.',
  body: skip,
})

export const resumeRun = defineRoute({
  ...shared,
  path: '/chat/:id/resume',
  summary: 'Continue after connecting an account, or when a wait is over',
  notes:
    'Safe to repeat. The body is optional. A `connection` item stays as it is until a provider of its tool is connected.',
  body: resumption,
  isBodyOptional: true,
})
