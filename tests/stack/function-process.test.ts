import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFunction } from '../../local/functions/function-process.ts'
import { waitForEnd } from '../../local/running-process.ts'
import { denoBinary } from '../../scripts/platform.ts'
import { project } from '../support/stack.ts'

let cache: string
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'askback-test-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))

describe.each([
  ['deno', /^2\.9\./],
  ['deno-hosted', /^2\.1\./],
] as const)('a function under %s', (packageName, version) => {
  it('runs unmodified on a free loopback port and ends with its signal', async () => {
    const stop = new AbortController()
    const running = await startFunction({
      name: 'probe',
      entry: join(project, 'tests/support/functions/probe/index.ts'),
      deno: denoBinary(packageName),
      readable: [project],
      environment: { DENO_DIR: cache, NO_COLOR: '1' },
      signal: stop.signal,
    })
    const answer = await (await fetch(`http://127.0.0.1:${running.port}/probe/echo`)).json()
    expect(answer).toMatchObject({ pid: running.pid, version: expect.stringMatching(version) })
    stop.abort()
    await running.ended
    expect(await waitForEnd(running.pid, 0)).toBe(true)
  })
})
