import { z } from 'zod'
import { once } from './route.ts'
import { toolError } from './tool-result.ts'

// The parts of an answer: the message that clients show, the calls, and the open items.

/** How a run ended, or whom it is waiting for. */
export const runStatus = () =>
  z.enum(['completed', 'waiting', 'needs_input', 'needs_approval', 'needs_connection', 'failed'])

const repairs = () => z.array(z.strictObject({ path: z.string(), rule: z.string() }))
const members = () => z.record(z.string(), z.unknown())

/** A message as AI SDK clients show it: the parts are theirs, except our `data-…` parts. */
export const message = once(() =>
  z
    .strictObject({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      parts: z
        .array(z.looseObject({ type: z.string() }))
        .describe('The parts of a `UIMessage` of the AI SDK.'),
      metadata: members().optional(),
    })
    .meta({ id: 'Message', description: 'A message as AI SDK clients show it.' }),
)

/** A call that was made. */
const toolUse = once(() =>
  z
    .strictObject({
      toolCallId: z.string(),
      toolName: z.string(),
      intent: z.number().describe('A number shared by all attempts at the same thing.'),
      attempt: z.number(),
      tries: z.number().describe('How often it was executed; 0 if it was refused before that.'),
      input: z.unknown(),
      ok: z.boolean(),
      output: z.unknown().optional(),
      error: toolError().optional(),
      repairs: repairs().optional().describe('Lossless repairs to the call: where, and by which rule.'),
      summary: z.string().optional().describe('What it did, in one line to show to the user.'),
      startedAt: z.string().describe('ISO 8601.'),
      durationMs: z.number(),
    })
    .meta({ id: 'ToolUse', description: 'A tool call.' }),
)

const facts = () => ({
  type: z.enum(['input', 'approval', 'connection', 'wait']),
  itemId: z.string(),
  agentId: z.string().nullable().describe('The agent that asks; null if it was deleted.'),
  messageId: z.string().describe('The message that contains the item.'),
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().describe('The display name of the tool.'),
  intent: z.number(),
  code: z.string().describe('A stable code for what is being asked.'),
  codeValues: members().optional().describe('Values for the sentence that `code` stands for.'),
  asked: z.string().describe('The question itself, in one or two sentences.'),
  hint: z.string().optional().describe('What to enter, or why it is being asked.'),
  alsoNeeded: z.array(z.string()).optional().describe('Titles of other missing values.'),
  question: z.string().describe('The complete question as one text.'),
  confirm: z.string().optional().describe('If it can be approved: what will be done.'),
  button: z
    .string()
    .optional()
    .describe('If it can be approved: the label of the button, such as "Send email".'),
  account: z.string().optional().describe('The account that an email will be sent from.'),
  why: z
    .strictObject({ code: z.string(), values: members().optional() })
    .optional()
    .describe(
      'For an `input` that can be approved: the code and values of the reason, which `hint` ends with.',
    ),
  stillWaiting: z
    .array(
      z.strictObject({
        code: z.string(),
        values: members().optional(),
        text: z.string(),
        toolCallId: z.string().optional(),
      }),
    )
    .optional()
    .describe(
      'Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them.',
    ),
  remember: z
    .strictObject({
      path: z.string().describe('The parameter that it is about; `to` stands for to, cc and bcc.'),
      pattern: z.string(),
      max: z.number(),
      per: z.enum(['minute', 'hour', 'day']),
      sentence: z.string(),
    })
    .optional()
    .describe(
      'If it can be approved: the standing permission that the user may give with it, and its sentence.',
    ),
  changed: z
    .array(z.strictObject({ what: z.string(), before: z.unknown(), now: z.unknown() }))
    .optional()
    .describe(
      'If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`. Nothing was done. `question` begins with them.',
    ),
  changedSentence: z.string().optional().describe('The same in a sentence.'),
  schema: members().optional().meta({
    'x-json-schema': true,
    description:
      'For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer.',
  }),
  values: members()
    .optional()
    .describe('Arguments of the call that are already known; for an approval, all of them.'),
  href: z.string().optional().describe('The page where the user can connect.'),
  resumeAt: z
    .string()
    .optional()
    .describe('For `wait`: when the run continues without another request. ISO 8601.'),
  approvalId: z
    .string()
    .optional()
    .describe(
      'On an item that can be approved, an `approval` or an `input` whose call also needs approval: identifies exactly this question; send it with the decision.',
    ),
  reason: z
    .enum(['consent', 'provenance', 'repetition', 'unknown', 'addresses', 'destructive', 'outside'])
    .optional()
    .describe('Why approval is needed.'),
  askedAt: z.string().describe('ISO 8601.'),
  expiresAt: z.string().optional().describe('ISO 8601. Approving after this asks again.'),
})

/** An open item: who is waited for, and why. */
export const pending = once(() =>
  z
    .strictObject(facts())
    .meta({ id: 'Pending', description: 'An open item: what a conversation is waiting for.' }),
)

export const openItem = once(() =>
  z
    .strictObject({ ...facts(), conversationId: z.string(), conversationTitle: z.string().nullable() })
    .meta({ id: 'OpenItem', description: 'An open item, with its conversation.' }),
)

/** The JSON answer of a run. */
export const chatAnswer = once(() =>
  z
    .strictObject({
      conversationId: z.string(),
      runId: z.string(),
      status: runStatus(),
      text: z.string().describe('Never empty.'),
      message: message(),
      toolsUsed: z.array(toolUse()).describe('The tool calls of this run, in order.'),
      usage: z.strictObject({
        inputTokens: z.number(),
        outputTokens: z.number(),
        modelCalls: z.number(),
      }),
      pending: z
        .array(pending())
        .optional()
        .describe(
          'The open items of the conversation, those of this message first; absent if there are none.',
        ),
      notices: z
        .array(z.object({ code: z.string(), text: z.string() }))
        .optional()
        .describe('Notices to show once, such as `budget_near`: at least 80% of a budget is used.'),
    })
    .meta({ id: 'ChatAnswer', description: 'The JSON answer of a run.' }),
)
