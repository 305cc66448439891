import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { ownText } from './own-text.ts'

// What a conversation is waiting for.

const members = () => z.record(z.string(), z.unknown())

/** Who approves an item, if not its user alone. */
export const approvers = once(() =>
  z
    .strictObject({
      who: z.enum(['group', 'both']).describe('`both`: the user and one of the group, two people.'),
      group: z.string().describe('The name of the group.'),
      canApprove: z.boolean().describe('Whether whoever asks can approve it now. They can always deny it.'),
      approved: z
        .array(z.strictObject({ part: z.enum(['user', 'group']), name: z.string() }))
        .describe('Who has approved it so far, for the user or for the group.'),
      sentence: z.string().describe('The same for people, such as “Approved by you. Waiting for Finance.”'),
    })
    .meta({ id: 'Approvers', description: 'Who approves an item, if not its user alone.' }),
)

/** Who asks, if a server of MCP does. */
const askingServer = once(() =>
  z
    .strictObject({
      host: z.string(),
      requests: z.array(
        z.strictObject({
          message: z.string().describe('Its words. It may be empty.'),
          fields: z.array(z.string()).describe('The names of its fields in `schema`.'),
          url: z
            .string()
            .optional()
            .describe(
              'The page that the user is asked to open, in a tab of its own. Show its host; an answer says that they have been there.',
            ),
        }),
      ),
    })
    .meta({ id: 'AskingServer', description: 'A server of MCP that asks something, and what.' }),
)

/** The members of an open item. */
export const itemFacts = () => ({
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
  statement: z
    .string()
    .optional()
    .describe(
      'If it can be approved: the same as a statement, for what becomes of it, such as “Not sent: Send "Hi" to "ada@example.com"”.',
    ),
  button: z
    .string()
    .optional()
    .describe('If it can be approved: the label of the button, such as "Send email".'),
  past: z
    .string()
    .optional()
    .describe('If it can be approved: the word for it once it is done, such as "sent", if its tool has one.'),
  account: z.string().optional().describe('The account that an email will be sent from.'),
  why: z
    .strictObject({ code: z.string(), values: members().optional() })
    .optional()
    .describe(
      'For an `input` that can be approved: the code and values of the reason, which `hint` ends with.',
    ),
  stillWaiting: z
    .array(ownText())
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
      'If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`; `failed` and `denied` stand for what became of it before. Nothing was done. `question` begins with them.',
    ),
  changedSentence: z.string().optional().describe('The same in a sentence.'),
  schema: members().optional().meta({
    'x-json-schema': true,
    description:
      'For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer.',
  }),
  server: askingServer()
    .optional()
    .describe(
      'If a server of MCP asks it before it goes on with the call: who asks. The values of the answer go to that server alone, skipping tells it that the user does not answer, and the `default` of a field is what it proposes. Show its words as a quotation in plain text, and say that passwords and codes do not belong there.',
    ),
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
  approvers: approvers()
    .optional()
    .describe('Who approves it, if not its user alone. Then it can be approved or denied, but not edited.'),
  declinedIn: z
    .string()
    .optional()
    .describe(
      'The app in which it was declined, as it calls itself: nobody has decided it, and it counts as waiting no more.',
    ),
  askedAt: z.string().describe('ISO 8601.'),
  expiresAt: z.string().optional().describe('ISO 8601. Approving after this asks again.'),
})

/** An open item: who is waited for, and why. */
export const pending = once(() =>
  z
    .strictObject(itemFacts())
    .meta({ id: 'Pending', description: 'An open item: what a conversation is waiting for.' }),
)

export const openItem = once(() =>
  z
    .strictObject({ ...itemFacts(), conversationId: z.string(), conversationTitle: z.string().nullable() })
    .meta({ id: 'OpenItem', description: 'An open item, with its conversation.' }),
)
