import { z } from 'zod'
import { isProviderName, presets } from '../engine/models/protocol/presets.ts'
import { optional, withWords } from './field-words.ts'
import { chatAnswer } from './message.ts'
import { readTimeZone } from './reader.ts'
import { defineRoute } from './route.ts'

// Sending a message, in the forms of clients.

/** Names below `chat/` that are routes, so no conversation can have them. The table has the same list. */
const reserved = ['conversations', 'v1', 'ag-ui', 'files', 'open', 'schedules', '.', '..']

const conversationId = () =>
  optional(
    withWords(
      z
        .string()
        .regex(/^[A-Za-z0-9._~-]{1,64}$/)
        .refine((id) => !reserved.includes(id)),
      {
        expected: `1 to 64 letters, digits, ".", "_", "~" or "-", and none of ${reserved.slice(0, -2).join(', ')}`,
        refusal: 'bad_conversation_id',
      },
    ),
  )

/** A text that may be empty, which means the same as absent. */
const shortText = () =>
  z.preprocess((value) => (value === '' ? undefined : (value ?? undefined)), z.string().max(200).optional())

const common = {
  id: conversationId().describe('The id of an existing conversation, or one that you choose for a new one.'),
  conversationId: conversationId().describe('Another name for `id`.'),
  agentId: shortText().describe('If left out: the conversation’s agent, or the user’s oldest one.'),
  scope: shortText().describe(
    'What a new conversation belongs to in your app, such as an organisation: kept with it, and told to [your functions](your-own-functions.md#for-an-organisation).',
  ),
  model: withWords(
    z.preprocess(
      (value) => (value === '' ? undefined : value),
      z
        .string()
        .trim()
        .max(200)
        .refine((id) => isProviderName(/^([a-z]+)(\/\S+)?$/.exec(id)?.[1] ?? ''))
        .nullable()
        .optional(),
    ),
    {
      expected: 'a provider and a model, such as "openai/gpt-4.1-mini"',
      instead: `Providers are ${Object.keys(presets).join(', ')}.`,
    },
  ).describe(
    'The model for this conversation from now on: an id from `GET /chat/models`. Null returns to the agent’s own model.',
  ),
  timezone: z
    .unknown()
    .transform(readTimeZone)
    .optional()
    .meta({ type: 'string' })
    .describe(
      'The user’s time zone, such as `Europe/Berlin`, so that the model knows when “tomorrow at 9” is. Kept until a request names another one. The header `x-askback-timezone` does the same for any request that starts a run. Unknown names are ignored.',
    ),
}

/** Two names of one conversation. */
const sameConversation = {
  check: ({ id, conversationId }: { id?: string | undefined; conversationId?: string | undefined }) =>
    id === undefined || conversationId === undefined || id === conversationId,
  words: {
    path: ['conversationId'],
    params: { why: 'two_conversations' },
  },
}

/** The JSON form. */
export const jsonTurn = z
  .object({
    ...common,
    message: withWords(z.string(), {
      expected: 'a text',
      instead: 'Send { "message": "Hello" }.',
    }).describe('The user’s message, at most 1 MiB.'),
    messageId: shortText().describe(
      'An id of your own. A message that is sent twice with the same id counts once.',
    ),
  })
  .refine(sameConversation.check, sameConversation.words)
  .meta({ id: 'NewMessage' })

/** A message in a client's copy of the conversation; a plain string stands for a user message. */
const clientMessage = z.preprocess(
  (given) => (typeof given === 'string' ? { role: 'user', content: given } : given),
  z.looseObject({ role: z.enum(['user', 'assistant', 'system']) }),
)

/** The AI SDK's form, which contains the conversation as the client has it. */
export const uiTurn = z
  .object({
    ...common,
    message: optional(clientMessage).describe('A `UIMessage`, as an alternative to `messages`.'),
    messages: optional(
      withWords(
        z.preprocess(
          (list) =>
            Array.isArray(list) ? list.filter((entry) => entry !== undefined && entry !== null) : list,
          z.array(clientMessage),
        ),
        { expected: 'a list of messages' },
      ),
    ).describe(
      '`UIMessage`s of the AI SDK. Only new user messages at the end of the list, and decisions, are read.',
    ),
    messageId: shortText(),
    seen: optional(
      withWords(z.array(z.string().max(200)).max(100), { expected: 'a list of at most 100 ids of messages' }),
    ).describe(
      'The ids of the newest messages that the client shows, in any order: the last answer and what follows it. With them, nothing is replaced that the user has not seen.',
    ),
    trigger: optional(z.enum(['submit-message', 'regenerate-message'])),
  })
  .refine(sameConversation.check, sameConversation.words)
  .meta({ id: 'ClientMessages' })

const group = 'Messages'

/** The same table is at the top of the migration `turns`, which decides by it. */
const meanings = [
  '| `trigger` | `messageId` | what it means |',
  '|---|---|---|',
  '| `submit-message`, or none | none, or an unknown one | A new message. If it is already stored, and unchanged, its answer is returned. |',
  '| `submit-message`, or none | a user message (AI SDK) | An edit, or a rerun if the message is unchanged: that message and all after it are replaced. |',
  '| `submit-message`, or none | an assistant message (AI SDK) | Continues it with the decisions in it. |',
  '| `regenerate-message` | any | Answers the last of the messages again or, if that is an answer, the message that it answers. A message that is not stored yet is stored first. |',
  '',
  'If an edit or a regeneration would replace a message of the user that is newer than all those in `seen`, because another tab or device has sent or edited it, it is refused with `newer_messages`, and nothing changes. Without `seen`, everything is replaced, except that with an edit a message stays that came less than 2 s before and is still being answered: it is answered along with the edit.',
  '',
  'An identical request joins the run of the first one while that is running. In a conversation, one run works at a time: a new message, an edit or a regeneration stops the run before it, but first waits until what a person has decided (a form, an approval, a connection) is carried out. A decision waits until the run that is working has ended. Two messages with the same id, or a message with the id of another, are refused with `message_id_taken`.',
].join('\n')

/** The possible results of starting a run. */
export const begins = [
  'agent_not_found',
  'conversation_not_found',
  'message_not_found',
  'item_not_found',
  'already_decided',
  'not_an_approver',
  'not_as_asked',
  'nothing_pending',
  'not_due',
  'still_running',
  'conversation_busy',
  'cannot_continue',
  'interrupted',
  'model_not_configured',
  'model_unavailable',
  'own_key_refused',
  'own_key_unused',
  'tools_do_not_fit',
  'not_configured',
  'version_not_accepted',
  'too_many_readers',
] as const

export const postMessage = defineRoute({
  method: 'POST',
  path: '/chat',
  group,
  summary: 'Send a message',
  notes:
    'The response is JSON if `message` is a string. If `message` is an object, or `messages` or `trigger` is present, it is the UI message stream of the AI SDK. An `Accept` header that names exactly one of the two types takes precedence. Streams begin immediately, so later errors arrive as a part of type `error`. The body may be up to 8 MiB in the JSON form, and up to 32 MiB in the AI SDK’s form.\n\n' +
    meanings,
  caller: 'user',
  body: z.union([jsonTurn, uiTurn]),
  answer: () => chatAnswer(),
  media: { 'text/event-stream': 'The UI message stream of the AI SDK, version 1.' },
  refusals: [
    ...begins,
    // If it decides something.
    'second_factor_required',
    'bad_conversation_id',
    'model_not_available',
    'empty_message',
    'no_message',
    'message_too_large',
    'too_many_messages',
    'message_id_taken',
    'newer_messages',
    'rate_limited',
    'limit_reached',
    'empty_file',
    'file_not_found',
    'unreadable_file',
    'wrong_media_type',
    'file_too_large',
    'files_too_large',
    'too_many_files',
    'too_much_stored',
    'storage_unavailable',
  ],
})
