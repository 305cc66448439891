import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { itemFacts } from './pending.ts'
import { defineRoute } from './route.ts'
import { begins } from './turn.ts'

// Links to one open item, and what whoever has one can do.

/** Carries the token of a link. */
export const linkHeader = 'x-askback-link'

/** Seconds for which a link lasts. One that decides by itself never lasts longer than it does by default. */
export const linkSeconds = { deciding: 24 * 3600, usual: 7 * 24 * 3600, most: 30 * 24 * 3600 } as const

/** How many links to one item may be valid at once: as SQL `create_item_link`. */
export const mostLinks = 20

export const newItemLink = z
  .object({
    decides: optional(z.boolean()).describe(
      'Whether whoever has the link decides without signing in. Only with the session of the item’s user or a secret key of the project.',
    ),
    name: optional(z.string().trim().min(1).max(200)).describe(
      'Whom it is for: what they decide is recorded under this name. By default the user’s own, if it decides.',
    ),
    expiresIn: optional(
      withWords(z.number().int().min(1).max(linkSeconds.most), {
        expected: `a whole number of seconds from 1 to ${linkSeconds.most}`,
      }),
    ).describe(
      'Seconds for which it is valid. If it decides, up to 24 hours, which is the default; otherwise up to 30 days, 7 by default.',
    ),
  })
  .refine(({ decides, expiresIn = 0 }) => !decides || expiresIn <= linkSeconds.deciding, {
    params: { why: 'link_lasts_too_long' },
  })
  .meta({ id: 'NewItemLink' })
export type NewItemLink = z.output<typeof newItemLink>

const itemLink = once(() =>
  z
    .strictObject({
      id: z.string(),
      url: z
        .string()
        .describe('The page of the item. Its token is in the fragment, which browsers send to no server.'),
      expiresAt: z.string().describe('ISO 8601.'),
      decides: z.boolean(),
      name: z.string().optional(),
    })
    .meta({ id: 'ItemLink', description: 'A link to one open item.' }),
)
export type ItemLink = z.output<ReturnType<typeof itemLink>>

const listedLink = once(() =>
  z
    .strictObject({
      id: z.string(),
      itemId: z.string(),
      conversationId: z.string(),
      sentence: z.string().describe('What is asked: the heading of its card.'),
      decides: z.boolean().describe('Whether it decides without a sign-in.'),
      name: z.string().optional().describe('Whom it was made for.'),
      createdAt: z.string().describe('ISO 8601.'),
      expiresAt: z.string().describe('ISO 8601.'),
    })
    .meta({ id: 'ListedLink', description: 'A link that is still valid, without its token.' }),
)
export type ListedLink = z.output<ReturnType<typeof listedLink>>

/** Through which door something was decided, and by whom. */
export const decider = once(() =>
  z
    .strictObject({
      door: z
        .enum(['page', 'link', 'approver', 'client'])
        .describe(
          '`page`: the user, signed in at the item’s own page; `link`: whoever has a link that decides by itself; `approver`: one of the group that decides it; `client`: a program over MCP.',
        ),
      name: z
        .string()
        .optional()
        .describe('Whom the link was made for, the approver, or what the program calls itself.'),
    })
    .meta({ id: 'Decider', description: 'Who decided away from the conversation.' }),
)

/** One of those who have approved something. */
export const approvedBy = once(() =>
  z
    .strictObject({
      part: z.enum(['user', 'group']).describe('For whom: the item’s user, or the group.'),
      name: z.string(),
      group: z.string().optional().describe('The name of the group.'),
    })
    .meta({ id: 'ApprovedBy', description: 'One of those who have approved an item.' }),
)

/** What became of a decision. */
export const outcome = once(() =>
  z
    .strictObject({
      status: z
        .enum(['working', 'done', 'not_done', 'failed', 'unknown', 'asked_again'])
        .describe(
          '`working`: not known yet; `unknown`: it may have been done; `asked_again`: something new is asked about it, in the conversation.',
        ),
      text: z.string().optional().describe('What was done, or why it was not, in a sentence.'),
    })
    .meta({ id: 'ItemOutcome', description: 'What became of a decision.' }),
)
export type Outcome = z.output<ReturnType<typeof outcome>>

const linkedPending = once(() => z.strictObject(itemFacts()).meta({ id: 'LinkedPending' }))

const itsDecision = once(() =>
  z
    .strictObject({
      as: z
        .string()
        .describe('How it was closed: `approve`, `deny`, `answer`, `expired`, `replaced` and so on.'),
      at: z.string().nullable().describe('ISO 8601; null while that is being carried out.'),
      by: decider().optional().describe('Absent for the user, in an app.'),
      approvedBy: z
        .array(approvedBy())
        .optional()
        .describe('Who has approved it, if not its user alone had to.'),
    })
    .meta({ id: 'ItsDecision', description: 'How it came that an item can no longer be decided.' }),
)

/** An item for one of the group that decides it. */
export const itemToApprove = once(() =>
  z
    .strictObject({
      item: linkedPending(),
      agent: z.string().nullable().describe('The name of the agent that asks.'),
      askedFor: z.string().describe('For whom it asks: the name or the address of its user.'),
      decided: itsDecision().optional().describe('If it can no longer be decided: how that came.'),
      outcome: outcome().optional().describe('If somebody decided it: what became of it.'),
    })
    .meta({ id: 'ItemToApprove', description: 'An open item for one of the group that approves it.' }),
)
export type ItemToApprove = z.output<ReturnType<typeof itemToApprove>>

export const linkedItem = once(() =>
  z
    .strictObject({
      item: linkedPending(),
      agent: z.string().nullable().describe('The name of the agent that asks.'),
      askedFor: z
        .string()
        .optional()
        .describe('For one of the group that decides it: the name or the address of its user.'),
      decides: z.boolean().describe('Whether the link decides without a sign-in.'),
      name: z.string().optional().describe('Whom the link was made for.'),
      expiresAt: z.string().describe('When the link expires. ISO 8601.'),
      signIn: z
        .enum(['needed', 'other'])
        .optional()
        .describe(
          'If it cannot be decided like this: nobody is signed in, or somebody else than whoever decides it. Then `item` has no `values`.',
        ),
      decided: itsDecision().optional().describe('If it can no longer be decided: how that came.'),
      parameters: z.record(z.string(), z.unknown()).optional().meta({
        'x-json-schema': true,
        description: 'JSON Schema of the call’s arguments, for a form to edit them; while it can be decided.',
      }),
      outcome: outcome().optional().describe('If somebody decided it: what became of it.'),
    })
    .meta({ id: 'LinkedItem', description: 'An open item as its own page shows it.' }),
)
export type LinkedItem = z.output<ReturnType<typeof linkedItem>>

const members = (expected: string) => withWords(z.record(z.string(), z.unknown()), { expected })

export const linkedDecision = z
  .object({
    decision: optional(z.enum(['approve', 'deny', 'draft', 'skip'])).describe(
      '`skip` continues without an answer or a connection.',
    ),
    values: optional(members('an object in the shape of the pending schema')).describe(
      'For an `input` item: its open fields, filled in.',
    ),
    input: optional(members('the arguments of the call as an object')).describe(
      'All arguments of the call, if they were edited.',
    ),
    reason: optional(z.string().overwrite((text) => text.slice(0, 2000))),
  })
  .refine(({ decision, values }) => decision !== undefined || values !== undefined, {
    params: { why: 'nothing_decided' },
  })
  .meta({ id: 'LinkedDecision' })
export type LinkedDecision = z.output<typeof linkedDecision>

const group = 'Links'
const linked = { path: '/chat/open/linked', group, caller: 'item-link' } as const

export const createItemLink = defineRoute({
  method: 'POST',
  path: '/chat/open/:itemId/link',
  group,
  summary: 'Make a link to an open item',
  notes: `The link leads to a page of the web app that shows this item and nothing else, at \`/open\` under the first of \`ASKBACK_APP_URLS\`. By default it carries no authority: whoever opens it has to sign in as the item’s user to decide. With \`decides\`, it decides by itself; nobody can make one for a connection, a wait, what a group decides, a tool that deletes or overwrites, or a write that may have happened. A server can send a secret key of the project as \`apikey\` or as the bearer token instead. Up to ${mostLinks} links to one item are valid at once.`,
  caller: 'user',
  params: z.object({ itemId: z.string().min(1).max(100) }),
  body: newItemLink.optional(),
  isBodyOptional: true,
  status: 201,
  answer: once(() => z.strictObject({ link: itemLink() })),
  refusals: ['item_not_found', 'link_not_possible', 'not_configured', 'second_factor_required'],
})

export const listItemLinks = defineRoute({
  method: 'GET',
  path: '/chat/open/links',
  group,
  summary: 'List your links',
  notes:
    'Those that are still valid and whose item is open, oldest first. Nobody is told their tokens again.',
  caller: 'user',
  answer: once(() => z.strictObject({ links: z.array(listedLink()) })),
})

export const revokeItemLink = defineRoute({
  method: 'DELETE',
  path: '/chat/open/links/:id',
  group,
  summary: 'Revoke a link',
  notes: 'A server can send a secret key of the project instead.',
  caller: 'user',
  params: z.object({ id: withWords(id(), { refusal: 'link_not_found' }) }),
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['link_not_found'],
})

export const readLinkedItem = defineRoute({
  ...linked,
  method: 'GET',
  summary: 'Read the item of a link',
  notes:
    'Decides nothing and uses up nothing. A link without authority shows the values of the call only to the item’s user, or one of the group that decides it, who sends their access token besides.',
  answer: () => linkedItem(),
  refusals: ['rate_limited', 'item_not_found'],
})

export const decideLinkedItem = defineRoute({
  ...linked,
  method: 'POST',
  summary: 'Decide the item of a link',
  notes:
    'The first answer wins, whichever door it came through; the same answer with the same link again returns what became of it. Links without authority need the access token of the item’s user besides, or of one of the group that decides it.',
  body: linkedDecision,
  answer: () => linkedItem(),
  refusals: ['rate_limited', 'sign_in_needed', 'second_factor_required', ...begins],
})

const approvals = { group, caller: 'user' } as const
const oneItem = z.object({ itemId: z.string().min(1).max(100) })

export const listApprovals = defineRoute({
  ...approvals,
  method: 'GET',
  path: '/chat/open/approvals',
  summary: 'List what waits for you as one of a group',
  notes:
    'The oldest first, at most 200: items of other users that a group you are in approves. Each is shown alone, with nothing else of its conversation. Your own are in `GET chat/open`.',
  answer: once(() => z.strictObject({ items: z.array(itemToApprove()) })),
})

export const readApproval = defineRoute({
  ...approvals,
  method: 'GET',
  path: '/chat/open/approvals/:itemId',
  summary: 'Read an item as one of the group that approves it',
  notes: 'Also once it is decided: then it says how, and what became of it.',
  params: oneItem,
  answer: () => itemToApprove(),
  refusals: ['item_not_found'],
})

export const decideForGroup = defineRoute({
  ...approvals,
  decides: true,
  method: 'POST',
  path: '/chat/open/approvals/:itemId',
  summary: 'Approve or deny an item as one of the group',
  notes:
    'If it takes its user and one of the group, it is carried out once both have approved it; until then the answer has no `decided`. Whoever denies it closes it.',
  params: oneItem,
  body: z
    .object({
      decision: z.enum(['approve', 'deny']),
      reason: optional(z.string().overwrite((text) => text.slice(0, 2000))),
    })
    .meta({ id: 'GroupDecision' }),
  answer: () => itemToApprove(),
  refusals: [...begins],
})
