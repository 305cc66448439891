import { describe, expect, test } from 'vitest'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import { CallFailure, type FailureKind } from '../../../shared/engine/models/protocol/call-failure.ts'
import type { ModelEvent, ModelReply } from '../../../shared/engine/models/protocol/model-client.ts'
import { type Candidate, createRouter } from '../../../shared/engine/models/router.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

type Outcome = 'ok' | FailureKind | { retryAfterMs: number }

/** Models that do in turn what the lists say; the last entry holds from then on. */
function setUp(outcomes: Record<string, Outcome[]>, misconfigured: string[] = []) {
  const asked: string[] = []
  const clock = testClock()
  const memory = createModelMemory()
  const candidates = Object.entries(outcomes).map(
    ([model, list]): Candidate => ({
      key: model,
      provider: 'any',
      model,
      window: () => 128_000,
      isTooSmall: async () => false,
      ...(misconfigured.includes(model) ? { misconfigured: `${model} has no key.` } : {}),
      async ask() {
        asked.push(model)
        const outcome = list.length > 1 ? list.shift() : list[0]
        if (outcome === 'ok') return { text: 'ok', model } as ModelReply
        if (typeof outcome === 'object') throw new CallFailure('busy', 'HTTP 429', outcome)
        throw new CallFailure(outcome ?? 'busy', `it was ${outcome}`)
      },
    }),
  )
  const router = createRouter(candidates, memory, clock)
  const events: ModelEvent[] = []
  const complete = (avoid: string[] = []) => {
    asked.length = 0
    clock.slept.length = 0
    events.length = 0
    return router.complete(ask(), { avoid, onEvent: (event) => events.push(event) }).then(
      ({ model }) => model,
      (cause: Error) => cause,
    )
  }
  return { router, complete, asked, events, clock, memory }
}

describe('the only model', () => {
  test('is tried 3 times when it is busy', async () => {
    const { complete, asked, clock } = setUp({ a: ['busy'] })
    expect(await complete()).toMatchObject({ name: 'ModelError', refused: false })
    expect(asked).toEqual(['a', 'a', 'a'])
    expect(clock.slept).toEqual([375, 750])
  })

  test('is never skipped because it rests', async () => {
    const { complete, asked } = setUp({ a: ['busy', 'busy', 'busy', 'ok'] })
    await complete()
    expect(await complete()).toBe('a')
    expect(asked).toEqual(['a'])
  })

  test.each(['refused', 'rejected', 'silent'] as const)('is not asked again when it was %s', async (kind) => {
    const { complete, asked } = setUp({ a: [kind] })
    expect(await complete()).toMatchObject({ name: 'ModelError', refused: kind === 'refused' })
    expect(asked).toEqual(['a'])
  })

  test('waits as long as it asks for, up to 10 seconds', async () => {
    const { complete, asked, clock } = setUp({ a: [{ retryAfterMs: 10_000 }, { retryAfterMs: 10_001 }] })
    expect(await complete()).toMatchObject({ name: 'ModelError', retryAfterMs: 10_001 })
    expect(asked).toEqual(['a', 'a'])
    expect(clock.slept).toEqual([10_000])
  })
})

describe('several models', () => {
  test('each is asked once before any is asked again, then the soonest', async () => {
    const { complete, asked, clock } = setUp({ a: ['busy'], b: ['busy'] })
    expect(await complete()).toMatchObject({ name: 'ModelError' })
    expect(asked).toEqual(['a', 'b', 'a', 'b'])
    expect(clock.slept).toEqual([375])
  })

  test('the reason of a switch is an event', async () => {
    const { complete, events } = setUp({ a: ['refused'], b: ['ok'] })
    expect(await complete()).toBe('b')
    const failure = { errorType: 'refused', why: 'it was refused' }
    expect(events).toEqual([{ type: 'model-switch', from: 'a', to: 'b', reason: 'it was refused', failure }])
  })

  test('a model that was busy rests for 30 seconds', async () => {
    const { complete, asked, events, clock } = setUp({ a: ['busy', 'ok'], b: ['ok'] })
    await complete()
    expect(await complete()).toBe('b')
    expect(asked).toEqual(['b'])
    expect(events).toEqual([{ type: 'model-switch', from: 'a', to: 'b', reason: 'it rests after a failure' }])
    clock.advance(30_000)
    expect(await complete()).toBe('a')
    expect(events).toEqual([])
  })

  test('a model rests as long as it asks for', async () => {
    const { complete, clock } = setUp({ a: [{ retryAfterMs: 120_000 }, 'ok'], b: ['ok'] })
    await complete()
    clock.advance(119_999)
    expect(await complete()).toBe('b')
    clock.advance(1)
    expect(await complete()).toBe('a')
  })

  test('a resting model is asked when nothing else is left', async () => {
    const { complete, asked } = setUp({ a: ['busy', 'ok'], b: ['ok', 'refused'] })
    await complete()
    expect(await complete()).toBe('a')
    expect(asked).toEqual(['b', 'a'])
  })

  test('when all rest, the one that is ready soonest is asked', async () => {
    const { complete, asked } = setUp({
      a: [{ retryAfterMs: 60_000 }, 'ok'],
      b: [{ retryAfterMs: 20_000 }, 'ok'],
    })
    await complete()
    expect(await complete()).toBe('b')
    expect(asked).toEqual(['b'])
  })

  test('a wrong key makes no model rest', async () => {
    const { complete, memory } = setUp({ a: ['refused'], b: ['ok'] })
    await complete()
    expect(memory.resting.size).toBe(0)
  })

  test('another model can be asked for; with none there the same one answers', async () => {
    const { complete, events } = setUp({ a: ['ok'], b: ['ok'] })
    expect(await complete(['a'])).toBe('b')
    expect(events).toEqual([
      { type: 'model-switch', from: 'a', to: 'b', reason: 'another model was asked for' },
    ])
    expect(await complete(['a', 'b'])).toBe('a')
  })

  test('a model to be avoided is still asked when all others fail', async () => {
    const { complete, asked } = setUp({ a: ['ok'], b: ['busy'], c: ['ok'] }, ['c'])
    expect(await complete(['a'])).toBe('a')
    expect(asked).toEqual(['b', 'b', 'b', 'a'])
  })

  test('one without a key costs no request and its reason is an event', async () => {
    const { complete, asked, events } = setUp({ a: ['ok'], b: ['ok'] }, ['a'])
    expect(await complete()).toBe('b')
    expect(asked).toEqual(['b'])
    const failure = { errorType: 'not_configured', why: 'a has no key.' }
    expect(events).toEqual([{ type: 'model-switch', from: 'a', to: 'b', reason: 'a has no key.', failure }])
  })

  test('none with a key is a configuration error', async () => {
    const { complete, asked } = setUp({ a: ['ok'], b: ['ok'] }, ['a', 'b'])
    expect(await complete()).toMatchObject({
      name: 'AgentError',
      kind: 'configuration',
      message: 'a has no key.',
    })
    expect(asked).toEqual([])
  })

  test('the error names every model and its reason', async () => {
    const { complete } = setUp({ a: ['refused'], b: ['rejected'] })
    expect(await complete()).toMatchObject({
      message: 'No language model answered. a: it was refused; b: it was rejected.',
      refused: false,
    })
  })
})

test('a mistake in our own code is not retried', async () => {
  const candidate: Candidate = {
    key: 'a',
    provider: 'any',
    model: 'a',
    window: () => 128_000,
    isTooSmall: async () => false,
    ask: () => Promise.reject(new TypeError('undefined is not a function')),
  }
  const router = createRouter([candidate, candidate], createModelMemory(), testClock())
  await expect(router.complete(ask())).rejects.toThrow(TypeError)
})
