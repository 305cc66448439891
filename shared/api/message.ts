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
      intent: z.number().describe('The attempts of one thing share it.'),
      attempt: z.number(),
      tries: z.number().describe('Executions of it; 0 where it was refused before.'),
      input: z.unknown(),
      ok: z.boolean(),
      output: z.unknown().optional(),
      error: toolError().optional(),
      repairs: repairs().optional().describe('Lossless changes of the call: where, and by which rule.'),
      summary: z.string().optional().describe('What it did, in one line for people.'),
      startedAt: z.string().describe('ISO 8601.'),
      durationMs: z.number(),
    })
    .meta({ id: 'ToolUse', description: 'A call that was made.' }),
)

const facts = () => ({
  type: z.enum(['input', 'approval', 'connection', 'wait']),
  itemId: z.string(),
  agentId: z.string().nullable().describe('Who asks; null where that agent was deleted.'),
  messageId: z.string().describe('The answer that it stands in.'),
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().describe('The tool as people read it.'),
  intent: z.number(),
  code: z.string().describe('What is asked, whatever the words.'),
  codeValues: members().optional().describe('What the words are about.'),
  asked: z.string().describe('What is asked, in one sentence or two.'),
  hint: z.string().optional().describe('What belongs there, or why it is asked.'),
  alsoNeeded: z.array(z.string()).optional().describe('Titles of what else is missing.'),
  question: z.string().describe('All of it as one text.'),
  confirm: z.string().optional().describe('Of an approval: what is done.'),
  button: z.string().optional().describe('Of an approval: the verb on its button.'),
  account: z.string().optional().describe('What a mail is sent from.'),
  schema: members().optional().meta({
    'x-json-schema': true,
    description: 'Of `input`: JSON Schema of the open fields, and of the `values` of an answer.',
  }),
  values: members().optional().describe('What is kept of the call; of an approval, the whole call.'),
  href: z.string().optional().describe('Where to connect.'),
  resumeAt: z.string().optional().describe('ISO 8601, of `wait`: the run goes on by itself then.'),
  approvalId: z.string().optional().describe('Of an approval: names this very question.'),
  reason: z
    .enum(['consent', 'provenance', 'repetition', 'unknown', 'addresses', 'destructive'])
    .optional()
    .describe('Why an approval is asked.'),
  askedAt: z.string().describe('ISO 8601.'),
  expiresAt: z.string().optional().describe('ISO 8601: pressed later, an approval is asked anew.'),
})

/** An open item: who is waited for, and why. */
export const pending = once(() =>
  z.strictObject(facts()).meta({ id: 'Pending', description: 'An open item: somebody is waited for.' }),
)

export const openItem = once(() =>
  z
    .strictObject({ ...facts(), conversationId: z.string(), conversationTitle: z.string().nullable() })
    .meta({ id: 'OpenItem', description: 'An open item of any conversation.' }),
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
      toolsUsed: z.array(toolUse()).describe('What was called, in order.'),
      usage: z.strictObject({
        inputTokens: z.number(),
        outputTokens: z.number(),
        modelCalls: z.number(),
      }),
      pending: z
        .array(pending())
        .optional()
        .describe('What is open in the conversation: in this message first.'),
    })
    .meta({ id: 'ChatAnswer', description: 'The JSON answer of a run.' }),
)
