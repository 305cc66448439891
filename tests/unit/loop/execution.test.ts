import { expect, test } from 'vitest'
import { ToolCallError, type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import { type Execution, executeToolCall } from '../../../shared/engine/loop/round/execute-tool-call.ts'
import { mailTool, searchTool, testClock } from '../../../support/agent-scenario.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const limits = { toolTimeoutMs: 30_000, maxWaitMs: 10_000 }

const failing = (error: ToolError) => () => {
  throw new ToolCallError(error)
}
const unavailable = toolError('unavailable', 'The service cannot be reached right now.')
const limited = (retryAfterMs?: number) =>
  toolError('rate_limit_exceeded', 'Too many requests.', retryAfterMs === undefined ? {} : { retryAfterMs })

function execute(
  tool: Tool,
  args: Record<string, unknown>,
  clock = testClock(),
  signal = new AbortController().signal,
) {
  const execution: Execution = { tool, args, idempotencyKey: 'key-1', attempt: 1 }
  return executeToolCall(execution, { clock, limits, signal })
}

test('a read that fails for now is tried three times, waiting 500 ms and doubling, half of it at random', async () => {
  const search = searchTool({ execute: failing(unavailable) })
  const clock = testClock()
  const executed = await execute(search, { query: 'a' }, clock)
  expect(search.runs).toHaveLength(3)
  expect(clock.slept).toEqual([375, 750])
  expect(executed).toEqual({ status: 'failed', result: unavailable, tries: 3 })
})

test('Retry-After comes first', async () => {
  let calls = 0
  const search = searchTool({
    execute: () => {
      if (calls++ === 0) throw new ToolCallError(limited(4000))
      return 'found'
    },
  })
  const clock = testClock()
  expect(await execute(search, { query: 'a' }, clock)).toEqual({
    status: 'succeeded',
    result: { ok: true, data: 'found' },
    tries: 2,
  })
  expect(clock.slept).toEqual([4000])
})

test('waits together stay within maxWaitMs: a longer known one is handed back with its time', async () => {
  const search = searchTool({ execute: failing(limited(6000)) })
  const clock = testClock()
  const executed = await execute(search, { query: 'a' }, clock)
  expect(search.runs).toHaveLength(2)
  expect(clock.slept).toEqual([6000])
  expect(executed.retryAt).toBe(clock.now() + 6000)
})

test('all tries together take at most toolTimeoutMs, and a write is repeated only while half of that is left', async () => {
  const taking = (milliseconds: number, clock: ReturnType<typeof testClock>) => () => {
    clock.advance(milliseconds)
    throw new ToolCallError(unavailable)
  }
  for (const [tool, milliseconds, tries] of [
    [searchTool, 9000, 3],
    [searchTool, 14_500, 2],
    [searchTool, 30_000, 1],
    [mailTool, 9000, 2],
    [mailTool, 14_500, 2],
    [mailTool, 15_000, 1],
  ] as const) {
    const clock = testClock()
    const executed = await execute(tool({ execute: taking(milliseconds, clock) }), mail, clock)
    expect(executed.tries, `${milliseconds} ms each`).toBe(tries)
  }
})

test('each try may take what the ones before it have left', async () => {
  const clock = testClock()
  const limited: number[] = []
  const search = searchTool({
    execute: async () => {
      clock.advance(10_000)
      throw new ToolCallError(unavailable)
    },
  })
  const listening = {
    ...clock,
    after: (milliseconds: number, run: () => void) => {
      limited.push(milliseconds)
      return clock.after(milliseconds, run)
    },
  }
  await execute(search, { query: 'a' }, listening)
  expect(limited).toEqual([30_000, 19_625, 8_875])
})

test('a write is repeated only when it provably did not run', async () => {
  const refused = mailTool({ execute: failing(unavailable) })
  expect((await execute(refused, mail)).status).toBe('failed')
  expect(refused.runs).toHaveLength(3)

  const lost = mailTool({ execute: failing(toolError('outcome_unknown', 'Question: Send it again?')) })
  expect((await execute(lost, mail)).status).toBe('unknown')
  expect(lost.runs).toHaveLength(1)
})

test.each([
  ['an exception that says nothing', () => Promise.reject(new Error('boom'))],
  ['a timeout that the tool reports', failing(toolError('timeout', 'It took too long.'))],
])('a write that ends in %s may have happened', async (_, step) => {
  const tool = mailTool({ execute: step })
  const executed = await execute(tool, mail)
  expect(executed).toMatchObject({
    status: 'unknown',
    result: { errorType: 'outcome_unknown', resolver: 'user' },
  })
  expect(tool.runs).toHaveLength(1)
})

test('a read that hangs is a timeout and its signal aborts; a write that hangs may have happened', async () => {
  for (const [tool, status] of [
    [searchTool, 'failed'],
    [mailTool, 'unknown'],
  ] as const) {
    const clock = testClock()
    const signals: AbortSignal[] = []
    const hanging = tool({
      execute: (_, { signal }) => {
        signals.push(signal)
        queueMicrotask(clock.expire)
        return new Promise(() => {})
      },
    })
    expect((await execute(hanging, mail, clock)).status).toBe(status)
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
  }
})

test('verify decides about a lost reply: sent counts as success, not sent may be repeated', async () => {
  const sent = mailTool({ execute: () => Promise.reject(new Error('lost')) })
  const asked: string[] = []
  const executed = await execute(
    {
      ...sent,
      verify: async (_, { idempotencyKey }) => {
        asked.push(idempotencyKey)
        return 'sent'
      },
    },
    mail,
  )
  expect(executed.status).toBe('succeeded')
  expect(asked).toEqual(['key-1'])

  let calls = 0
  const notSent = mailTool({
    execute: () => (calls++ === 0 ? Promise.reject(new Error('lost')) : { id: 'm-1' }),
  })
  const repeated = await execute({ ...notSent, verify: async () => 'not_sent' }, mail)
  expect(repeated).toEqual({ status: 'succeeded', result: { ok: true, data: { id: 'm-1' } }, tries: 2 })
  expect(notSent.runs).toHaveLength(2)
})

test('a verification that fails or hangs leaves the outcome unknown', async () => {
  const clock = testClock()
  const tool = mailTool({ execute: () => Promise.reject(new Error('lost')) })
  const broken = await execute({ ...tool, verify: () => Promise.reject(new Error('no')) }, mail)
  expect(broken.status).toBe('unknown')
  const verify = () => {
    queueMicrotask(clock.expire)
    return new Promise<never>(() => {})
  }
  expect((await execute({ ...tool, verify }, mail, clock)).status).toBe('unknown')
})

test('stopping ends a read at once and leaves a write to settle', async () => {
  const stop = new AbortController()
  const search = searchTool({
    execute: () => {
      stop.abort()
      return new Promise(() => {})
    },
  })
  expect((await execute(search, { query: 'a' }, testClock(), stop.signal)).status).toBe('cancelled')

  const again = new AbortController()
  const write = mailTool({
    execute: async (_, { signal }) => {
      again.abort()
      await Promise.resolve()
      return { aborted: signal.aborted }
    },
  })
  expect(await execute(write, mail, testClock(), again.signal)).toEqual({
    status: 'succeeded',
    result: { ok: true, data: { aborted: false } },
    tries: 1,
  })
})

test('stopping during a wait ends it without another try', async () => {
  const stop = new AbortController()
  const clock = testClock()
  const search = searchTool({ execute: failing(unavailable) })
  const executed = await executeToolCall(
    { tool: search, args: { query: 'a' }, idempotencyKey: 'k', attempt: 1 },
    { clock, limits, signal: stop.signal, onWait: () => stop.abort() },
  )
  expect(executed.status).toBe('cancelled')
  expect(search.runs).toHaveLength(1)
})

test('what a tool returns is a result, an error in any form, or plain data', async () => {
  const returning = (value: unknown) => execute(searchTool({ execute: () => value }), { query: 'a' })
  expect((await returning({ ok: true, data: 1 })).result).toEqual({ ok: true, data: 1 })
  expect((await returning({ ok: true, error: null })).status).toBe('succeeded')
  expect((await returning('text')).result).toEqual({ ok: true, data: 'text' })
  expect((await returning(undefined)).result).toEqual({ ok: true, data: undefined })
  const said = limited(60_000)
  expect((await returning(said)).result).toEqual({
    ...said,
    details: { ...said.details, asker: 'Web search' },
  })
})

test('a tool that changes its arguments changes neither the next try nor the record', async () => {
  const given = { query: 'a' }
  const seen: unknown[] = []
  const search = searchTool({
    execute: (args) => {
      seen.push({ ...args })
      args.query = 'changed'
      throw new ToolCallError(unavailable)
    },
  })
  await execute(search, given)
  expect(seen).toEqual([{ query: 'a' }, { query: 'a' }, { query: 'a' }])
  expect(given).toEqual({ query: 'a' })
})

test('what cannot be written as JSON is a success with a text', async () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  for (const output of [cycle, 10n, Symbol('x'), String]) {
    const executed = await execute(mailTool({ execute: () => output }), mail)
    expect(executed).toEqual({ status: 'succeeded', result: { ok: true, data: String(output) }, tries: 1 })
  }
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'a wait of %s is treated as unknown',
  async (retryAfterMs) => {
    const search = searchTool({ execute: failing(limited(retryAfterMs)) })
    const executed = await execute(search, { query: 'a' })
    expect(executed.retryAt).toBeUndefined()
    expect(search.runs).toHaveLength(3)
  },
)
