import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForEnd } from '../../local/process/running-process.ts'
import { type Breakpoints, startBreakpoints } from '../../support/breakpoints.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

let directory: string
let stack: TestStack
let held: Breakpoints

/** A function that tells its version; `/held` first waits at the place of that name. */
const source = (version: string) => `
import { suffix } from '../_shared/suffix.ts'
Deno.serve(async (request) => {
  const { searchParams } = new URL(request.url)
  const place = searchParams.get('place')
  if (place) await (await fetch(place)).text()
  const after = searchParams.get('after')
  if (after) await (await fetch(after)).text()
  return Response.json({ version: '${version}' + suffix, pid: Deno.pid })
})`

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

async function call(name: string, query: Record<string, string> = {}, signal?: AbortSignal) {
  const response = await fetch(`${stack.url}/functions/v1/${name}?${new URLSearchParams(query)}`, {
    ...(signal ? { signal } : {}),
  })
  return await response.json()
}

const versionOf = async (name: string) => (await call(name)).version

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
  write('_shared/suffix.ts', "export const suffix = ''")
  for (const name of ['one', 'two']) {
    write(`${name}/deno.json`, '{}')
    write(`${name}/index.ts`, source('1'))
  }
  stack = await startStack({ functionsDirectory: directory })
  held = await startBreakpoints()
})
afterAll(async () => {
  await stack?.stop()
  await held?.close()
  rmSync(directory, { recursive: true, force: true })
})

it('starts the new code with the next request, while the request under way ends with the old', async () => {
  const { pid } = await call('one')
  const underWay = call('one', { place: held.url('under-way') })
  await held.arrival('under-way')
  write('one/index.ts', source('2'))
  await expect.poll(() => versionOf('one')).toBe('2')
  held.release('under-way')
  expect(await underWay).toEqual({ version: '1', pid })
  expect(await waitForEnd(pid, 10_000)).toBe(true)
  await expect.poll(stack.output).toContain('[one] has changed; the next request starts the new code')
})

it('lets the old code finish what it has begun for a client that has left', async () => {
  const { pid, version } = await call('one')
  const client = new AbortController()
  const query = { place: held.url('left'), after: held.url('still-at-work') }
  const left = call('one', query, client.signal).catch((error) => error.name)
  await held.arrival('left')
  client.abort()
  expect(await left).toBe('AbortError')
  write('one/index.ts', source('3'))
  await expect.poll(() => versionOf('one')).not.toBe(version)
  held.release('left')
  await held.arrival('still-at-work')
  held.release('still-at-work')
  expect(await waitForEnd(pid, 10_000)).toBe(true)
})

it('leaves the other functions alone, and starts all of them anew when something that they share changes', async () => {
  const two = await call('two')
  write('one/index.ts', source('4'))
  await expect.poll(() => versionOf('one')).toBe('4')
  expect(await call('two')).toEqual(two)
  write('_shared/suffix.ts', "export const suffix = ' again'")
  await expect.poll(() => versionOf('one')).toBe('4 again')
  await expect.poll(() => versionOf('two')).toBe('1 again')
})

it('says what is wrong with a file that cannot be read, and works again when it is mended', async () => {
  write('two/index.ts', 'Deno.serve((')
  await expect.poll(async () => (await call('two')).error?.code).toBe('function_not_started')
  const { error } = await call('two')
  expect(error.message).toContain('The function "two" could not start: ')
  expect(error.message).toMatch(/two\/index\.ts:1:\d+/)
  await expect.poll(stack.output).toContain('[two] error: ')
  write('two/index.ts', source('5'))
  await expect.poll(() => versionOf('two')).toBe('5 again')
})

it('finds a function that was added', async () => {
  write('three/deno.json', '{}')
  write('three/index.ts', source('1'))
  expect(await versionOf('three')).toBe('1 again')
  write('three/index.ts', source('2'))
  await expect.poll(() => versionOf('three')).toBe('2 again')
})
