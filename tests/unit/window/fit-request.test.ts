import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { estimateTokens } from '../../../shared/engine/window/estimate-tokens.ts'
import { fitRequest, nextCutScale } from '../../../shared/engine/window/fit-request.ts'
import { withFacts } from '../../../shared/engine/window/message-facts.ts'
import { findMessageProblem } from '../../../support/chat-messages.ts'
import { converse, system, type TurnSize } from './conversation.ts'

const tools: never[] = []
const fit = (messages: ChatMessage[], tokens: number, scale = 1) =>
  fitRequest({ messages, tools }, { tokens, scale, cutScale: nextCutScale(scale, scale) })
const read = (result: number) => ({ args: 20, result, isWrite: false })
const write = (args: number, result = 40) => ({ args, result, isWrite: true })
const turn = (...steps: TurnSize['steps']): TurnSize => ({ said: 60, steps, answer: 120 })
/** A room of which these messages take 95 %. */
const justOver = (messages: ChatMessage[]) => Math.floor(estimateTokens({ messages, tools }) / 0.95)
/** Without the last answer: as the model is asked. */
const asked = (turns: TurnSize[]) => converse(turns).messages.slice(0, -1)
const texts = (messages: ChatMessage[]) => messages.map(({ content }) => String(content))

describe('a request up to 90 % of the room', () => {
  test('goes out as it is', () => {
    const messages = asked([turn([read(4000)]), turn([read(4000)])])
    const tokens = estimateTokens({ messages, tools })
    const request = { messages, tools }
    expect(fitRequest(request, { tokens: Math.ceil(tokens / 0.9), scale: 1, cutScale: 1 })).toEqual({
      request,
      estimated: tokens,
      cut: undefined,
      fits: true,
    })
    expect(fitRequest(request, { tokens: Math.ceil(tokens / 0.9), scale: 1, cutScale: 1 }).request).toBe(
      request,
    )
    expect(fit(messages, Math.floor(tokens / 0.9) - 1).cut).toBeDefined()
  })

  test('is measured by the scale of its model', () => {
    const messages = asked([turn([read(4000)]), turn([read(4000)])])
    const tokens = estimateTokens({ messages, tools })
    expect(fit(messages, Math.ceil(tokens / 0.9) * 2, 2).estimated).toBe(2 * tokens)
    expect(fit(messages, Math.ceil(tokens / 0.9) * 2, 2).cut).toBeUndefined()
    expect(fit(messages, Math.ceil(tokens / 0.9) * 2, 2.2).cut).toBeDefined()
  })
})

describe('a request of more is cut to 70 %', () => {
  test('first the oldest results of earlier turns, whose beginning and end stay', () => {
    const messages = asked([turn([read(8000)]), turn([read(8000)]), turn([read(8000)]), turn([read(2000)])])
    const tokens = justOver(messages)
    const { request, cut, fits, estimated } = fit(messages, tokens)
    expect({ cut, fits }).toEqual({ cut: { results: 2, texts: 0, turns: 0, ofThisTurn: 0 }, fits: true })
    expect(estimated).toBeLessThanOrEqual(0.7 * tokens)
    const changed = request.messages.flatMap((message, index) => (message === messages[index] ? [] : [index]))
    expect(changed).toEqual([3, 7])
    expect(request.messages[3]?.content).toMatch(
      /^\{"id":"call_0_0_0".* characters are left out here, because /,
    )
    expect(messages[3]?.content).toHaveLength(8000 + '{"id":"call_0_0_0","text":""}'.length)
  })

  test('a result is told in the words that it has for that', () => {
    const brief = () => '{"id":"a","text":"In short."}'
    const shorten = (characters: number) => `At most ${characters}.`
    const messages = asked([turn([read(8000)]), turn([read(8000)])])
    withFacts(messages[3] as ChatMessage, { brief, shorten })
    expect(fit(messages, justOver(messages)).request.messages[3]?.content).toBe(brief())
    withFacts(messages[7] as ChatMessage, { brief, shorten })
    expect(texts(fit(messages, 1000).request.messages).at(-1)).toMatch(/^At most \d+\.$/)
  })

  test('then long texts of earlier messages', () => {
    const messages = asked([{ ...turn(), said: 20_000 }, turn([read(300)]), turn()])
    const { request, cut } = fit(messages, justOver(messages))
    expect(cut).toEqual({ results: 0, texts: 1, turns: 0, ofThisTurn: 0 })
    expect(request.messages[1]?.content).toMatch(/^Message 0: .*are left out here, .*ask the user/)
  })

  test('then whole turns, of which the writes are told', () => {
    const turns = Array.from({ length: 30 }, () => turn([write(600)], [read(600)]))
    const messages = asked(turns)
    const { request, cut, fits } = fit(messages, 4000)
    expect(fits).toBe(true)
    expect(cut?.turns).toBeGreaterThan(20)
    expect(request.messages[0]).toBe(system)
    const note = String(request.messages[1]?.content)
    expect(note).toContain(`${cut?.turns} messages of the user`)
    expect(note).toContain(`the newest 20 of ${cut?.turns} things`)
    const last = (cut?.turns ?? 0) - 1
    expect(note.match(/Sent call_\d+/g)?.at(-1)).toBe(`Sent call_${last}`)
    expect(note.match(/Sent call_\d+/g)).toHaveLength(20)
    expect(texts(request.messages)[3]).toMatch(new RegExp(`^Message ${last + 1}:`))
    expect(findMessageProblem(request.messages)).toBeUndefined()
  })

  test('at last results of this turn, the largest ones, and never what its writes returned', () => {
    const messages = asked([turn([read(9000)]), turn([read(20_000), read(400)], [write(300, 9000)])])
    const { request, cut, fits } = fit(messages, 6000)
    expect(fits).toBe(true)
    expect(cut).toEqual({ results: 0, texts: 0, turns: 1, ofThisTurn: 1 })
    expect(texts(request.messages)).toContain(messages.at(-1)?.content)
    expect(texts(request.messages)).toContain(messages.at(-3)?.content)
    expect(texts(request.messages).join()).toContain('are left out here')
  })
})

test('what is too large by itself does not fit, and is left as it is', () => {
  const messages = asked([turn([read(3000)]), { ...turn(), said: 40_000 }])
  const { request, fits, estimated } = fit(messages, 4000)
  expect(fits).toBe(false)
  expect(estimated).toBeGreaterThan(4000)
  expect(request.messages.at(-1)).toBe(messages.at(-1))
})

test('a decision and a remark begin no turn', () => {
  const messages: ChatMessage[] = [
    ...asked([turn([read(3000)]), turn([read(3000)])]),
    withFacts({ role: 'user', content: 'Yes, call send_email.' }, { continues: true }),
  ]
  const { request, cut } = fit(messages, 600)
  expect(cut).toEqual({ results: 0, texts: 0, turns: 1, ofThisTurn: 1 })
  expect(texts(request.messages)[3]).toMatch(/^Message 1/)
})

const size = (most: number) => fc.integer({ min: 0, max: most })
const anyCall = fc.record({ args: size(600), result: size(9000), isWrite: fc.boolean() })
const anyTurn = fc.record({
  said: fc.oneof(size(400), size(12_000)),
  steps: fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  answer: size(1500),
})
const anyTurns = fc.array(anyTurn, { minLength: 1, maxLength: 25 })
const anyRoom = {
  tokens: fc.integer({ min: 500, max: 20_000 }),
  scale: fc.double({ min: 0.5, max: 3, noNaN: true }),
}

describe('whatever is cut', () => {
  test('no call is without its result, and instructions, newest message, calls and writes of its turn stay', () => {
    fc.assert(
      fc.property(anyTurns, anyRoom.tokens, anyRoom.scale, (turns, tokens, scale) => {
        const messages = asked(turns)
        const copy = structuredClone(messages)
        const { request, cut, fits, estimated } = fit(messages, tokens, scale)
        expect(messages).toEqual(copy)
        expect(findMessageProblem(request.messages)).toBeUndefined()
        expect(estimated).toBe(Math.ceil(estimateTokens(request) * scale))
        expect(fits).toBe(estimated <= tokens)
        if (!cut) expect(request.messages).toBe(messages)
        const newest = messages.findLastIndex(({ role }) => role === 'user')
        const kept = messages.slice(newest).filter(({ role }) => role !== 'tool')
        const writes = messages.slice(newest).filter((_, index) => isWrite(messages, newest + index))
        expect(request.messages).toEqual(expect.arrayContaining([system, ...kept, ...writes]))
        const ofThisTurn = request.messages.slice(request.messages.indexOf(messages[newest] as ChatMessage))
        expect(ofThisTurn).toHaveLength(messages.length - newest)
      }),
    )
  })

  test('each request begins with the whole one before it, until that with what came since is over 90 % again', () => {
    fc.assert(
      fc.property(anyTurns, anyRoom.tokens, (turns, tokens) => {
        const { messages, requests } = converse(turns)
        let before: { messages: ChatMessage[]; estimated: number; end: number } | undefined
        for (const end of requests) {
          const { request, estimated } = fit(messages.slice(0, end), tokens)
          if (before) {
            const came = estimateTokens({ messages: messages.slice(before.end, end), tools }) - around
            const whole = [...before.messages, ...messages.slice(before.end, end)]
            const isSame = texts(request.messages).join() === texts(whole).join()
            // The tools are rounded up to a sixteenth.
            if (before.estimated + came <= 0.9 * tokens * (15 / 16)) expect(isSame).toBe(true)
          }
          before = { messages: request.messages, estimated, end }
        }
      }),
      { numRuns: 50 },
    )
  })
})

/** What every estimate has once. */
const around = estimateTokens({ messages: [], tools })

function isWrite(messages: ChatMessage[], index: number): boolean {
  const message = messages[index]
  if (message?.role !== 'tool') return false
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : []))
  const call = calls.find(({ id }) => id === message.tool_call_id)
  return call?.type === 'function' && call.function.name === 'send_email'
}

test('in a conversation of ordinary turns 40 of 50 requests over the window begin with the first half of the one before', () => {
  const turns = Array.from({ length: 200 }, () => turn([read(700)], [write(150)]))
  const { messages, requests } = converse(turns)
  for (const tokens of [8192, 16_384, 32_768]) {
    const over = requests
      .map((end) => messages.slice(0, end))
      .filter((list) => estimateTokens({ messages: list, tools }) > tokens)
      .map((list) => JSON.stringify(fit(list, tokens).request.messages))
      .slice(0, 51)
    const alike = over.slice(1).filter((text, index) => {
      const before = over[index] as string
      return text.startsWith(before.slice(0, before.length / 2))
    })
    expect(alike.length / (over.length - 1)).toBeGreaterThanOrEqual(0.8)
  }
})
