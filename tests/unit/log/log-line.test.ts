import { afterEach, expect, it, vi } from 'vitest'
import { writeLog } from '../../../shared/server/log/log-line.ts'

afterEach(() => vi.restoreAllMocks())

function linesOf(method: 'log' | 'error') {
  const spy = vi.spyOn(console, method).mockImplementation(() => {})
  return () => spy.mock.calls.map(([line]) => JSON.parse(String(line)))
}

it('is one JSON object with the event first', () => {
  const lines = linesOf('log')
  writeLog('run', { runId: 'r', status: 'completed', durationMs: 12 })
  expect(lines()).toEqual([{ event: 'run', runId: 'r', status: 'completed', durationMs: 12 }])
})

it('shows a cause and what caused it without secrets, on one line', () => {
  const lines = linesOf('error')
  const key = `sk-${'a'.repeat(40)}`
  writeLog('run-fault', { runId: 'r' }, new Error('no answer', { cause: new Error(`refused ${key}`) }))
  const [line] = lines()
  expect(line).toMatchObject({
    event: 'run-fault',
    runId: 'r',
    cause: expect.stringMatching(/no answer[\s\S]*refused \*\*\*/),
  })
  expect(JSON.stringify(line)).not.toContain(key)
})

it('tells a refused request from a fault of ours', async () => {
  // Refusals with the same code are summed, also those of the tests before this one.
  vi.resetModules()
  const { logRefusal } = await import('../../../shared/server/log/log-refusal.ts')
  const { ApiError } = await import('../../../shared/server/http/api-error.ts')
  const [refused, faults] = [linesOf('log'), linesOf('error')]
  logRefusal(new ApiError('not_found', { method: 'GET', path: '/chat/x' }), {
    method: 'GET',
    path: '/chat/x',
  })
  logRefusal(new TypeError('oops'), { method: 'POST', path: '/chat' })
  expect(refused()).toEqual([
    { event: 'refused', method: 'GET', path: '/chat/x', status: 404, code: 'not_found' },
  ])
  expect(faults()).toMatchObject([{ event: 'request-fault', method: 'POST', path: '/chat' }])
})
