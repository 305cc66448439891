import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { ownText } from './own-text.ts'
import { itemFacts } from './pending.ts'

// What the parts of a message hold that the AI SDK has no part for.

export const repair = once(() =>
  z
    .strictObject({ path: z.string(), rule: z.string() })
    .meta({ id: 'Repair', description: 'A lossless change to a call: where, and by which rule.' }),
)

const members = () => z.record(z.string(), z.unknown())
const toolCallId = () => z.string()

/** A form or a link beside a call. */
const question = once(() =>
  z
    .strictObject({
      ...z.strictObject(itemFacts()).partial().shape,
      toolCallId: toolCallId(),
      type: z.enum(['needs_input', 'needs_connection']),
      answered: z.boolean().optional().describe('It is closed.'),
      closed: z
        .enum(['replaced', 'yielded', 'expired', 'stop', 'message', 'gone'])
        .optional()
        .describe('How it was closed, if nobody decided it.'),
    })
    .meta({
      id: 'QuestionData',
      description: 'The `data` of a part `data-question`: an open item, or one that was.',
    }),
)

export const messageData = once(() =>
  z
    .strictObject({
      'tool-error': z
        .strictObject({
          toolCallId: toolCallId(),
          attempt: z.number().optional(),
          errorType: z.string(),
          parameter: z.string().optional(),
          code: z.string().optional().describe('The code of its sentence.'),
          values: members().optional(),
        })
        .describe('A call that failed.'),
      closed: z
        .strictObject({ toolCallId: toolCallId(), code: z.string(), text: z.string() })
        .describe('Why a card closed without anybody’s decision.'),
      question: question(),
      remember: z
        .strictObject({
          ...itemFacts().remember.unwrap().shape,
          toolCallId: toolCallId(),
          approvalId: z.string(),
        })
        .describe('The standing permission that the user may give with this approval, and its sentence.'),
      wait: z
        .strictObject({
          toolCallId: toolCallId(),
          resumeAt: z.string().optional(),
          waitMs: z.number().optional(),
        })
        .describe(
          '`resumeAt`: the run continues by itself then (ISO 8601). `waitMs`: it is waiting that long for a provider.',
        ),
      'model-switch': z.strictObject({ from: z.string(), to: z.string() }),
      notice: ownText().describe('Shown while the message is being written; not part of it.'),
      repair: z.strictObject({ toolCallId: toolCallId(), repairs: z.array(repair()) }),
      'done-before': z
        .strictObject({
          toolCallId: toolCallId(),
          toolName: z.string(),
          summary: z.string().optional(),
          input: members().optional(),
        })
        .describe('A write of an answer that this one replaced.'),
      call: z
        .strictObject({
          toolCallId: toolCallId(),
          intent: z.number(),
          startedAt: z.string(),
          summary: z.string().optional(),
          past: z.string().optional(),
          statement: z.string().optional(),
          unasked: z.literal(true).optional(),
          edited: z.array(z.strictObject({ name: z.string(), before: z.unknown().optional() })).optional(),
        })
        .describe(
          '`intent`: shared by all attempts at one thing. `startedAt`: ISO 8601. `summary`: what the call did, in one line. `past`: the word for it once it is done, such as "sent". `statement`: what it would have done, if that was denied. `unasked`: a write that was made without anybody being asked. `edited`: what the user changed on its card, and what stood there before.',
        ),
    })
    .meta({ id: 'MessageData', description: 'The `data` of the parts `data-…` of a message.' }),
)
export type MessageData = z.output<ReturnType<typeof messageData>>
