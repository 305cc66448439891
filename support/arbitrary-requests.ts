import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { asksFor } from './conversation-app.ts'

/** Which of a conversation's ids a request names, and how it is spelled. */
export interface NamedId {
  from: 'user' | 'assistant' | 'cut' | 'elsewhere' | 'open' | 'closed' | 'call' | 'new' | 'same'
  place: number
  spelling: 'exact' | 'upper' | 'padded' | 'hundredfold' | 'other type' | 'nul'
}

/** What a conversation holds, by kind. */
export type KnownIds = Record<
  'user' | 'assistant' | 'cut' | 'elsewhere' | 'open' | 'closed' | 'call',
  string[]
>

type Words = keyof typeof asksFor

interface Listed {
  role: 'user' | 'assistant' | 'system'
  id?: NamedId
  words: Words
  decides?: { item: NamedId; call: NamedId; approved: boolean }
}

/** A request about a conversation, before its ids are known. `conversation`: which one its path or `id` names. */
export type PlannedRequest = { conversation: 'own' | 'upper' | 'elsewhere' } & (
  | {
      kind: 'ui'
      trigger?: 'submit-message' | 'regenerate-message'
      messageId?: NamedId
      seen?: NamedId[]
      list: Listed[]
      isAlone: boolean
      isStream: boolean
    }
  | { kind: 'json'; messageId?: NamedId; words: Words }
  | { kind: 'answer'; itemId?: NamedId; toolCallId?: NamedId; values: Record<string, unknown> }
  | {
      kind: 'approval'
      approvalId: NamedId
      toolCallId: NamedId
      decision: 'approve' | 'deny' | 'draft'
      input?: Record<string, unknown>
    }
  | { kind: 'skip'; itemId: NamedId }
  | { kind: 'resume'; itemId?: NamedId }
  | { kind: 'stop' }
  | { kind: 'delete' }
  | { kind: 'change'; title?: string; archived?: boolean }
  | { kind: 'feedback'; messageId: NamedId }
  | { kind: 'completion'; message?: NamedId; list: Listed[] }
)

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const idFrom = (...from: NamedId['from'][]): fc.Arbitrary<NamedId> =>
  fc.record({
    from: fc.constantFrom(...from),
    place: fc.nat(3),
    spelling: fc.oneof(
      { weight: 12, arbitrary: fc.constant('exact' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('upper', 'padded', 'hundredfold', 'other type', 'nul' as const),
      },
    ),
  }) as fc.Arbitrary<NamedId>

const messageId = idFrom('user', 'user', 'assistant', 'cut', 'elsewhere', 'new', 'same')
const itemId = idFrom('open', 'open', 'closed', 'elsewhere', 'new')
const callId = idFrom('call', 'call', 'open', 'elsewhere', 'new')
const words = fc.constantFrom<Words>('words', 'words', 'approval', 'input', 'connection')

const said = (role: Listed['role'], id: fc.Arbitrary<NamedId>): fc.Arbitrary<Listed> =>
  fc.record(
    {
      role: fc.constant(role),
      id,
      words,
      decides: fc.record({ item: itemId, call: callId, approved: fc.boolean() }),
    },
    { requiredKeys: ['role', 'words'] },
  ) as fc.Arbitrary<Listed>

const listed = fc.oneof(
  { weight: 4, arbitrary: said('user', messageId) },
  {
    weight: 3,
    arbitrary: said('assistant', idFrom('assistant', 'assistant', 'assistant', 'user', 'cut', 'elsewhere')),
  },
  { weight: 1, arbitrary: said('system', messageId) },
)

const conversation = fc.oneof(
  { weight: 14, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constantFrom('upper' as const, 'elsewhere' as const) },
)

const about = <T extends object>(kind: string, members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({
    kind: fc.constant(kind),
    conversation,
    ...members,
  } as never) as unknown as fc.Arbitrary<PlannedRequest>

const request: fc.Arbitrary<PlannedRequest> = fc.oneof(
  {
    weight: 10,
    arbitrary: about('ui', {
      trigger: optional(fc.constantFrom('submit-message', 'regenerate-message', 'regenerate-message')),
      messageId: optional(messageId),
      seen: fc.option(fc.array(messageId, { maxLength: 3 }), { nil: undefined, freq: 2 }),
      list: fc.array(listed, { minLength: 1, maxLength: 4 }),
      isAlone: fc.boolean(),
      isStream: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: about('json', { messageId: optional(messageId), words }) },
  {
    weight: 2,
    arbitrary: about('answer', {
      itemId: optional(itemId),
      toolCallId: optional(callId),
      values: fc.constantFrom({ to: ['ada@example.com'] }, {}, { to: 'nobody' }, { other: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: about('approval', {
      approvalId: itemId,
      toolCallId: callId,
      decision: fc.constantFrom('approve', 'deny', 'draft'),
      input: optional(fc.constantFrom({}, { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada.' })),
    }),
  },
  { weight: 1, arbitrary: about('skip', { itemId }) },
  { weight: 1, arbitrary: about('resume', { itemId: optional(itemId) }) },
  { weight: 1, arbitrary: about('stop', {}) },
  { weight: 1, arbitrary: about('delete', {}) },
  {
    weight: 1,
    arbitrary: about('change', {
      title: optional(fc.constantFrom('A title', ' ', '\u0000', '\ud800', 'x'.repeat(5000))),
      archived: optional(fc.boolean()),
    }),
  },
  { weight: 1, arbitrary: about('feedback', { messageId }) },
  {
    weight: 3,
    arbitrary: about('completion', {
      message: optional(messageId),
      list: fc.array(listed, { minLength: 1, maxLength: 3 }),
    }),
  },
)

/** Requests about one conversation, one after the other. */
export const requests: fc.Arbitrary<PlannedRequest[]> = fc.array(request, { minLength: 1, maxLength: 8 })

const exactly = (from: NamedId['from'], place = 0): NamedId => ({ from, place, spelling: 'exact' })

const posted = (list: Listed[], facts: { messageId?: NamedId; trigger?: 'regenerate-message' } = {}) =>
  ({ kind: 'ui', conversation: 'own', isAlone: false, isStream: false, list, ...facts }) as const

const userSays = (id: NamedId): Listed => ({ role: 'user', id, words: 'words' })

/** Requests that were once answered with 500, or after which the conversation was. */
export const formerFaults: PlannedRequest[][] = [
  // Regenerating where the list ends with an answer.
  [
    posted([userSays(exactly('user')), { role: 'assistant', id: exactly('assistant'), words: 'words' }], {
      trigger: 'regenerate-message',
    }),
  ],
  // An edit of a message by one that stands before it.
  [
    { kind: 'json', conversation: 'own', words: 'words' },
    posted([userSays(exactly('user', 1))], { messageId: exactly('user') }),
  ],
  // Two messages with one id, known and new.
  [posted([userSays(exactly('same')), userSays(exactly('same'))])],
  [{ ...posted([userSays(exactly('same')), userSays(exactly('same'))]), conversation: 'upper' }],
]

/** The id that is meant; undefined where there is none of its kind. */
export function nameId(named: NamedId | undefined, known: KnownIds): unknown {
  if (!named) return undefined
  const { from, place, spelling } = named
  const ids = from === 'new' ? [randomUUID()] : from === 'same' ? ['one-id'] : known[from]
  const id = ids[ids.length - 1 - (place % ids.length)] ?? randomUUID()
  switch (spelling) {
    case 'exact':
      return id
    case 'upper':
      return id.toUpperCase()
    case 'padded':
      return `${id} `
    case 'hundredfold':
      return id.repeat(100)
    case 'other type':
      return { id }
    case 'nul':
      return `${id}\u0000`
  }
}
