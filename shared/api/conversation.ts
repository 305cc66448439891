import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { approvedBy, decider } from './item-link.ts'
import { message, rating, runStatus } from './message.ts'
import { openItem, pending } from './pending.ts'
import { permissionTerms } from './permission.ts'
import { defineRoute } from './route.ts'

// Conversations in lists and on their own, and their open items.

const params = z.object({ id: z.string() })
/** The status of a conversation. */
const shownStatus = () => z.enum(['running', ...runStatus().options])
export type ShownStatus = z.output<ReturnType<typeof shownStatus>>

const ranges = once(() =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .meta({ id: 'TextRanges', description: 'Ranges `[from, to)` in a text, in UTF-16 code units.' }),
)

export const match = once(() =>
  z
    .strictObject({
      title: ranges().describe('Matches in the title.'),
      message: z
        .strictObject({
          id: z.string(),
          role: z.enum(['user', 'assistant']),
          createdAt: z.string(),
          text: z.string(),
          ranges: ranges(),
        })
        .optional()
        .describe('An excerpt from a message that contains the words; absent if only the title does.'),
    })
    .meta({ id: 'SearchMatch', description: 'Where the words of a search were found.' }),
)

export const summary = once(() =>
  z
    .strictObject({
      id: z.string(),
      title: z.string().nullable(),
      status: shownStatus(),
      open: z
        .strictObject({
          count: z.number(),
          kinds: z.array(z.enum(['input', 'approval', 'connection', 'wait'])),
          oldest: z.string().nullable(),
        })
        .describe('A summary of its open items.'),
      calls: z
        .strictObject({
          app: z.string().describe('What the app is called.'),
          day: z.string().describe('The day in the user’s time zone, such as 2026-01-31.'),
          count: z.number().describe('How many there are of that app and day; 1 in the results of a search.'),
        })
        .optional()
        .describe(
          'Of calls that an app has made over MCP. Lists show those of one app and day as one row, under the app’s name: the newest one, with what is open in any of them. `callsOf` lists them one by one.',
        ),
      pinned: z.boolean(),
      archived: z.boolean(),
      agentId: z.string().nullable(),
      createdAt: z.string().describe('ISO 8601.'),
      updatedAt: z.string(),
      match: match().optional(),
    })
    .meta({ id: 'ConversationSummary' }),
)

export const decided = once(() =>
  z
    .strictObject({
      itemId: z.string(),
      messageId: z.string().describe('The message that contains the item.'),
      toolCallId: z.string(),
      decision: z.enum(['answer', 'approve', 'deny', 'draft', 'skip']),
      at: z.string().describe('ISO 8601.'),
      reason: z.string().optional().describe('Why it was denied, in the user’s words.'),
      remember: permissionTerms()
        .optional()
        .describe('The standing permission that came with the approval; it may have been revoked since.'),
      permission: z
        .strictObject({ id: z.string().optional(), holds: z.boolean() })
        .optional()
        .describe('Whether that permission still holds, and the id that revokes it.'),
      by: decider()
        .optional()
        .describe('Who decided it away from the conversation; absent for the user, in an app.'),
      approvedBy: z
        .array(approvedBy())
        .optional()
        .describe('Who has approved it, if not the user alone had to.'),
    })
    .meta({ id: 'Decided', description: 'A decision by the user about an item.' }),
)

export const conversation = once(() =>
  z
    .strictObject({
      id: z.string(),
      title: z.string().nullable(),
      status: shownStatus(),
      messages: z
        .array(message())
        .describe(
          'The newest 100, or the 100 before the message named by `before`. A message that is still being written is not included.',
        ),
      times: z
        .record(z.string(), z.string())
        .optional()
        .describe('When each message was written, by message id. Only with `times=true`.'),
      decided: z
        .array(decided())
        .optional()
        .describe('The user’s decisions in these messages. Only with `times=true`.'),
      former: z
        .record(z.string(), z.number())
        .optional()
        .describe(
          'How many answers each one has taken the place of, by message id, as far as there are any. Only with `times=true`.',
        ),
      next: z
        .string()
        .optional()
        .describe('The value of `before` that returns earlier messages; absent if there are none.'),
      pending: z.array(pending()),
    })
    .meta({ id: 'Conversation' }),
)

/** A time, and which conversation of that time, as in `next`. */
const before = withWords(
  z.string().transform((text, context) => {
    const [, given = '', place = ''] = /^([^,]*)(,[01],[\w.~-]{1,64})?$/.exec(text) ?? []
    // A plus that was not encoded arrives as a space.
    const time = new Date(given.replace(' ', '+'))
    const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
    if (!/^\d{4}-/.test(iso)) {
      context.addIssue({ code: 'custom' })
      return z.NEVER
    }
    // The digits beyond JavaScript's milliseconds.
    const [, micros = ''] = /\.\d{3}(\d{1,3})/.exec(given) ?? []
    return `${iso.slice(0, -1)}${micros}Z${place}`
  }),
  { expected: 'the "next" of the page before, or a time such as 2026-01-31T12:00:00Z' },
)

export const conversationQuery = z.object({
  limit: withWords(z.coerce.number().int().min(1).max(200), { expected: 'a number from 1 to 200' })
    .optional()
    .describe('50 by default.'),
  before: before.optional().describe('The `next` of the previous page, or a time.'),
  q: z
    .string()
    .optional()
    .describe(
      'Words to search for in titles, in messages and in what tools were called with. The results are sorted newest first.',
    ),
  archived: withWords(z.enum(['true', 'false']), { expected: 'true or false' })
    .optional()
    .describe('`true` lists archived conversations instead.'),
  scope: z.string().max(200).optional().describe('Only conversations that were begun with this `scope`.'),
  callsOf: z
    .string()
    .max(64)
    .optional()
    .describe('The id of a call over MCP: lists the calls of its app on its day instead, one by one.'),
})
export type ConversationQuery = z.output<typeof conversationQuery>

const longestTitle = 200
export const conversationChange = z
  .object({
    title: withWords(
      z
        .string()
        .trim()
        .refine((title) => title !== '' && Array.from(title).length <= longestTitle),
      { expected: `a text of 1 to ${longestTitle} characters` },
    ).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    params: { why: 'conversation_unchanged' },
  })
  .meta({ id: 'ConversationChange' })
export type ConversationChange = z.output<typeof conversationChange>

export const feedback = z
  .object({
    messageId: withWords(z.string().min(1), { expected: 'the id of an answer' }),
    rating: rating().nullable().describe('Null removes the rating.'),
    reason: optional(z.string().max(2000).trim()),
  })
  .meta({ id: 'Feedback' })
export type Feedback = z.output<typeof feedback>

const group = 'Conversations'
const notFound = ['conversation_not_found'] as const

export const listConversations = defineRoute({
  method: 'GET',
  path: '/chat/conversations',
  group,
  summary: 'List your conversations',
  notes: 'Pinned ones first, then newest first, one page at a time.',
  caller: 'user',
  query: conversationQuery,
  answer: once(() =>
    z
      .strictObject({
        conversations: z.array(summary()),
        next: z
          .string()
          .optional()
          .describe('The value of `before` that returns the next page; absent on the last page.'),
      })
      .meta({ id: 'ConversationPage' }),
  ),
})

export const getConversation = defineRoute({
  method: 'GET',
  path: '/chat/conversations/:id',
  group,
  summary: 'Read a conversation',
  caller: 'user',
  params,
  query: z.object({
    before: z.string().optional().describe('The id of a message; returns the messages before it.'),
    times: z.string().optional().describe('`true` adds `times`, `decided` and `former`.'),
    formerOf: z
      .string()
      .optional()
      .describe(
        'The id of an answer; returns the answers that it has taken the place of instead, oldest first. The conversation goes on without them.',
      ),
  }),
  answer: () => conversation(),
  refusals: [...notFound, 'message_not_found'],
})

export const changeConversation = defineRoute({
  method: 'PATCH',
  path: '/chat/conversations/:id',
  group,
  summary: 'Rename, pin or archive a conversation',
  caller: 'user',
  params,
  body: conversationChange,
  answer: () =>
    z.strictObject({
      id: z.string(),
      title: z.string().nullable().optional(),
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
    }),
  refusals: notFound,
})

export const deleteConversation = defineRoute({
  method: 'DELETE',
  path: '/chat/conversations/:id',
  group,
  summary: 'Delete a conversation',
  notes:
    'Its runs are stopped. Of its writes, only a record that they happened is kept, without their content.',
  caller: 'user',
  decides: true,
  params,
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: notFound,
})

export const rateMessage = defineRoute({
  method: 'PUT',
  path: '/chat/conversations/:id/feedback',
  group,
  summary: 'Rate an answer',
  caller: 'user',
  params,
  body: feedback,
  answer: () =>
    z.strictObject({
      messageId: z.string(),
      rating: rating().nullable(),
      reason: z.string().optional(),
    }),
  refusals: [...notFound, 'message_not_found'],
})

export const listOpenItems = defineRoute({
  method: 'GET',
  path: '/chat/open',
  group: 'Decisions',
  summary: 'List what is waiting for you',
  notes: 'In all conversations, or only those with one agent. Oldest first.',
  caller: 'user',
  query: z.object({ agentId: withWords(id(), { expected: 'the id of an agent' }).optional() }),
  answer: () => z.strictObject({ items: z.array(openItem()) }),
})
