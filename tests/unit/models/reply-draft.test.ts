import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addToDraft,
  finishCalls,
  startDraft,
  type WireCompletion,
} from '../../../shared/engine/models/protocol/reply-draft.ts'

type Fragment = { index?: number | string; id?: string; function?: { name?: string; arguments?: string } }

function assemble(fragments: Fragment[]) {
  const draft = startDraft()
  for (const fragment of fragments) {
    addToDraft(draft, { choices: [{ delta: { tool_calls: [fragment] } }] } as WireCompletion)
  }
  return finishCalls(draft)
}

const piece = (text: string) => ({ arguments: text })

describe('fragments of tool calls', () => {
  test('the words of the protocol: three fragments, one call', () => {
    expect(
      assemble([
        { index: 0, id: 'a', function: { name: 'search', arguments: '{"query":' } },
        { index: 0, function: piece(' "python') },
        { index: 0, function: piece(' async"}') },
      ]),
    ).toEqual([{ id: 'a', name: 'search', rawArguments: '{"query": "python async"}' }])
  })

  test('land on their own call when ids stand in for the index', () => {
    expect(
      assemble([
        { id: 'a', function: { name: 'one', arguments: '{' } },
        { id: 'b', function: { name: 'two', arguments: '[' } },
        { id: 'a', function: piece('}') },
        { id: 'b', function: piece(']') },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{}', '[]'])
  })

  test('an id that changes with every fragment does not split a call', () => {
    expect(
      assemble([
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x":' } },
        { index: 0, id: 'b', function: piece('1}') },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{"x":1}'])
  })

  test('a name repeated with every fragment does not split a call', () => {
    expect(
      assemble([
        { index: 0, function: { name: 'one', arguments: '{"x":' } },
        { index: 0, function: { name: 'one', arguments: '1}' } },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{"x":1}'])
  })

  test('a name repeated with an empty last fragment opens no further call', () => {
    expect(
      assemble([
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x":1}' } },
        { index: 0, function: { name: 'one', arguments: '' } },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{"x":1}'])
  })

  test('a closer too many after complete arguments stays with its call', () => {
    expect(
      assemble([
        { index: 0, function: { name: 'one', arguments: '{}' } },
        { index: 0, function: { name: 'one', arguments: '}' } },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{}}'])
  })

  test.each([
    ['in pieces', ['smtp_', 'send_', 'email']],
    ['as far as it is known', ['smtp_', 'smtp_send_', 'smtp_send_email']],
  ])('a name that comes %s is one name', (_, pieces) => {
    const names = pieces.map((name, position) => ({
      index: 0,
      ...(position === 0 ? { id: 'a' } : {}),
      function: { name },
    }))
    expect(assemble([...names, { index: 0, function: piece('{}') }])).toEqual([
      { id: 'a', name: 'smtp_send_email', rawArguments: '{}' },
    ])
  })

  test('an index may be a text', () => {
    expect(
      assemble([
        { index: '0', function: { name: 'one', arguments: '{' } },
        { index: '1', function: { name: 'two', arguments: '[' } },
        { index: '0', function: piece('}') },
        { index: '1', function: piece(']') },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{}', '[]'])
  })

  test('whole calls under one id are different calls', () => {
    expect(
      assemble([
        { id: 'same', function: { name: 'one', arguments: '{"x":1}' } },
        { id: 'same', function: { name: 'one', arguments: '{"x":2}' } },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{"x":1}', '{"x":2}'])
  })

  test('an id repeated by the provider for two indices keeps two calls', () => {
    expect(
      assemble([
        { index: 0, id: 'same', function: { name: 'one', arguments: '{}' } },
        { index: 1, id: 'same', function: { name: 'one', arguments: '[]' } },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{}', '[]'])
  })

  test('a call that never got a name stays, nameless', () => {
    expect(assemble([{ index: 0, function: piece('{}') }])).toEqual([{ name: '', rawArguments: '{}' }])
  })

  test("Gemini's extra content is kept", () => {
    const draft = startDraft()
    const call = {
      function: { name: 'a', arguments: '{}' },
      extra_content: { google: { thought_signature: 's' } },
    }
    addToDraft(draft, { choices: [{ message: { tool_calls: [call] } }] })
    expect(finishCalls(draft)[0]?.extraContent).toEqual({ google: { thought_signature: 's' } })
  })

  test('whatever the pieces and their order between calls, every call gets its own text', () => {
    const calls = fc.array(
      fc.record({ name: fc.constantFrom('search', 'send'), args: fc.string({ maxLength: 30 }) }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(calls, fc.boolean(), fc.infiniteStream(fc.nat(7)), (wanted, byIndex, dice) => {
        const roll = () => dice.next().value ?? 0
        const queues = wanted.map(({ name, args }, position) => {
          const place = byIndex ? { index: position } : { id: `id-${position}` }
          const queue: Fragment[] = [{ ...place, function: { name, arguments: '' } }]
          for (let start = 0, size = 1; start < args.length; start += size) {
            size = 1 + roll()
            queue.push({ ...place, function: piece(args.slice(start, start + size)) })
          }
          return queue
        })
        const stream = queues.map((queue) => queue.shift() as Fragment)
        while (queues.some((queue) => queue.length > 0)) {
          const next = queues[roll() % queues.length]?.shift()
          if (next) stream.push(next)
        }
        expect(assemble(stream).map(({ name, rawArguments }) => ({ name, args: rawArguments }))).toEqual(
          wanted,
        )
      }),
    )
  })
})

test('odd chunks are no reason to fail', () => {
  const draft = startDraft()
  for (const chunk of [
    {},
    { choices: null },
    { choices: [] },
    { choices: [{}] },
    { choices: [{ delta: null, message: null }] },
    { choices: [{ delta: { content: null, tool_calls: null } }] },
    { choices: [{ delta: { tool_calls: [{}] } }], error: null },
    { choices: [{ finish_reason: null }], usage: null },
  ]) {
    expect(addToDraft(draft, chunk as WireCompletion)).toBeUndefined()
  }
  expect(draft).toMatchObject({ text: '', finishReason: '', hasChoice: true })
})

test.each([
  ['MALFORMED_FUNCTION_CALL', 'malformed_function_call'],
  ['the user asked about the merger', 'unknown'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
])('the finish reason %s is %s', (sent, read) => {
  const draft = startDraft()
  addToDraft(draft, { choices: [{ finish_reason: sent }] })
  expect(draft.finishReason).toBe(read)
})

test('usage is found where Groq puts it, with cached tokens and the cost that OpenRouter names', () => {
  const groq = startDraft()
  addToDraft(groq, { x_groq: { usage: { prompt_tokens: 5, completion_tokens: 6 } } })
  expect(groq.usage).toEqual({ inputTokens: 5, outputTokens: 6 })
  const openRouter = startDraft()
  addToDraft(openRouter, {
    usage: {
      prompt_tokens: 5,
      completion_tokens: 6,
      prompt_tokens_details: { cached_tokens: 4 },
      cost: 0.25,
    },
  })
  expect(openRouter).toMatchObject({ usage: { cachedInputTokens: 4 }, cost: 0.25 })
})

test.each([-5, Number.POSITIVE_INFINITY, 'free'])(
  'a cost of %s is none: it would give a budget back',
  (cost) => {
    const draft = startDraft()
    addToDraft(draft, { usage: { prompt_tokens: 5, completion_tokens: 6, cost } })
    expect(draft.cost).toBeUndefined()
  },
)

test.each(['reasoning_content', 'reasoning'])(
  'thoughts are heard where a server sends them as %s',
  (member) => {
    const draft = startDraft()
    const heard: unknown[] = []
    for (const delta of [{ [member]: 'Hm, ' }, { [member]: 'yes.' }, { content: 'Yes.' }]) {
      addToDraft(draft, { choices: [{ delta }] } as WireCompletion, (event) => heard.push(event))
    }
    expect(draft).toMatchObject({ thoughts: 'Hm, yes.', text: 'Yes.' })
    expect(heard).toEqual([
      { type: 'thought-delta', delta: 'Hm, ' },
      { type: 'thought-delta', delta: 'yes.' },
      { type: 'text-delta', delta: 'Yes.' },
    ])
  },
)
