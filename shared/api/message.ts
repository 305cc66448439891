import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { messageData, repair } from './message-data.ts'
import { ownText } from './own-text.ts'
import { pending } from './pending.ts'
import { toolError } from './tool-result.ts'

// The parts of an answer: the message that clients show, and the calls.

/** How a run ended, or whom it is waiting for. */
export const runStatus = () =>
  z.enum(['completed', 'waiting', 'needs_input', 'needs_approval', 'needs_connection', 'failed'])

const usage = () =>
  z.strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    modelCalls: z.number(),
  })

export const rating = once(() =>
  z.enum(['good', 'bad']).meta({ id: 'Rating', description: 'The user’s rating of an answer.' }),
)

/** Of a user message, what its client has sent is beside it. */
export const messageMetadata = once(() =>
  z
    .looseObject({
      conversationId: z.string().optional(),
      runId: z.string().optional(),
      status: runStatus().optional(),
      usage: usage().optional(),
      pending: z.array(pending()).optional().describe('Its open items.'),
      toolTimes: z
        .record(z.string(), z.number())
        .optional()
        .describe('How many milliseconds each call took.'),
      texts: z.array(ownText()).optional().describe('Texts that the model did not write.'),
      feedback: z
        .strictObject({ rating: rating(), reason: z.string().optional() })
        .optional()
        .describe('The user’s rating of the answer.'),
    })
    .meta({ id: 'MessageMetadata', description: 'The `metadata` of a message.' }),
)

export type MessageMetadata = z.output<ReturnType<typeof messageMetadata>>

/** A part of a message: of the AI SDK, or one with our data. */
const part = () =>
  z.looseObject({ type: z.string() }).superRefine(({ type, data }, context) => {
    const ours: Record<string, z.ZodType> = messageData().shape
    const read = ours[type.replace(/^data-/, '')]?.safeParse(data)
    for (const { message, path } of read?.error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: ['data', ...path] })
  })

/** A message as AI SDK clients show it: the parts are theirs, except our `data-…` parts. */
export const message = once(() =>
  z
    .strictObject({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      parts: z
        .array(part())
        .describe(
          'The parts of a `UIMessage` of the AI SDK. The `data` of a part `data-…` is the member of `MessageData` with the name that follows.',
        ),
      metadata: messageMetadata().optional(),
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
      repairs: z.array(repair()).optional().describe('Lossless repairs to the call.'),
      summary: z.string().optional().describe('What it did, in one line to show to the user.'),
      startedAt: z.string().describe('ISO 8601.'),
      durationMs: z.number(),
    })
    .meta({ id: 'ToolUse', description: 'A tool call.' }),
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
      usage: usage(),
      pending: z
        .array(pending())
        .optional()
        .describe(
          'The open items of the conversation, those of this message first; absent if there are none.',
        ),
      notices: z
        .array(ownText())
        .optional()
        .describe('Notices to show once, such as `budget_near`: at least 80% of a budget is used.'),
    })
    .meta({ id: 'ChatAnswer', description: 'The JSON answer of a run.' }),
)
