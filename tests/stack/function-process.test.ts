import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { startFunction } from '../../local/functions/function-process.ts'
import { waitForEnd } from '../../local/process/running-process.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { startBreakpoints } from '../../support/breakpoints.ts'
import { foundFunction } from '../../support/found-function.ts'

let cache: string
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'askback-test-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const versions: [name: string, version: RegExp, deno: string][] = [['Deno 2.9', /^2\.9\./, findDeno()]]
if (existsSync(hostedDeno)) versions.push(['Deno 2.1', /^2\.1\./, hostedDeno])
else console.log('Not tested with Deno 2.1.14: npm has it for Linux on x64 only.')

describe.each(versions)('a function under %s', (_name, version, deno) => {
  const start = (signal: AbortSignal) =>
    startFunction({
      name: 'probe',
      source: foundFunction('support/functions', 'probe'),
      deno,
      environment: { DENO_DIR: cache, NO_COLOR: '1' },
      signal,
    })

  it('runs unmodified on a free loopback port and ends with its signal', async () => {
    const stop = new AbortController()
    const running = await start(stop.signal)
    const answer = await (await fetch(`http://127.0.0.1:${running.port}/probe/echo`)).json()
    expect(answer).toMatchObject({ pid: running.pid, version: expect.stringMatching(version) })
    stop.abort()
    await running.ended
    expect(await waitForEnd(running.pid, 0)).toBe(true)
  })

  it('says by which signal it was ended', async () => {
    const running = await start(new AbortController().signal)
    process.kill(running.pid, 'SIGINT')
    expect(await running.ended).toBe('SIGINT')
  })

  it('takes nothing new when it is retired, and ends after what it has begun behind an answer', async () => {
    const held = await startBreakpoints()
    const running = await start(new AbortController().signal)
    const address = `http://127.0.0.1:${running.port}/probe`
    const answer = await fetch(`${address}/behind`, { method: 'POST', body: held.url('work') })
    expect(await answer.text()).toBe('answered')
    await held.arrival('work')
    running.retire()
    await expect
      .poll(() =>
        fetch(`${address}/echo`).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused')
    expect(running.isEnding()).toBe(false)
    held.release('work')
    await running.ended
    await held.close()
  })
})
