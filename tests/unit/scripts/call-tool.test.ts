import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callTool } from '../../../scripts/call/call-tool.ts'

/** What the sentences are; a call that works is in the walk of docs/tools.md, on the real stack. */
let directory: string
let close: () => void = () => {}
let answerOfFunction: unknown

const specification = {
  name: 'weather_forecast',
  description: 'Forecast.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  effect: 'read',
}
const tool = { name: 'weather_forecast', function: 'weather-api', action: 'forecast', specification }

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const body = path.startsWith('/auth')
      ? { access_token: 'token' }
      : path.startsWith('/rest')
        ? [tool]
        : answerOfFunction
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stack = { url: `http://127.0.0.1:${port}`, publishableKey: 'key', demoUser: {} }
  writeFileSync(join(directory, 'stack.json'), JSON.stringify(stack))
  close = () => {
    server.close()
    server.closeAllConnections()
  }
})
afterEach(() => {
  close()
  rmSync(directory, { recursive: true, force: true })
})

const call = (name?: string, rawArguments?: string) =>
  callTool(directory, name, rawArguments).catch((error) => error.message)

it('says that no stack runs, and how to start one', async () => {
  rmSync(join(directory, 'stack.json'))
  expect(await call('weather_forecast')).toBe(
    `The local stack is not running (with the data directory ${directory}). Start it with npm start in another terminal, or set ASKBACK_DATA_DIR to that of the one that runs.`,
  )
})

it('says that the stack of the file does not answer any more', async () => {
  close()
  expect(await call('weather_forecast')).toMatch(
    /^The local stack does not answer at http:\/\/127\.0\.0\.1:\d+\. Start it again with npm start\.$/,
  )
})

it('lists the tools to whoever names none, and the closest to whoever mistypes one', async () => {
  expect(await call()).toMatch(/^Name a tool, like npm run call .*\. The tools: weather_forecast\.$/)
  const { ok, text } = await call('weather_forcast', '{}')
  expect(ok).toBe(false)
  expect(text).toContain('There is no tool "weather_forcast". Did you mean weather_forecast?')
})

it('says what a model would read of arguments that cannot be read or are missing', async () => {
  expect((await call('weather_forecast', '{"city":"Os')).text).toContain(
    'Question: I could not read the arguments of weather_forecast: the text ends inside "city".',
  )
  expect((await call('weather_forecast')).text).toContain('missing_parameter "city"')
})

it('says what was repaired, what came back, and how it failed', async () => {
  answerOfFunction = { ok: true, data: { sky: 'clear' } }
  expect(await call('weather_forecast', "{'city':'Oslo'}")).toEqual({
    ok: true,
    text: '{\n  "sky": "clear"\n}',
    repairs: [{ path: '', rule: 'single_quotes' }],
  })
  const error = 'The service is not available right now.'
  answerOfFunction = { ok: false, error, errorType: 'unavailable', resolver: 'time', details: {} }
  const failed = await call('weather_forecast', '{"city":"Oslo"}')
  expect(failed.ok).toBe(false)
  expect(failed.text).toContain(error)
  answerOfFunction = {
    error: { code: 'function_not_started', message: 'The function could not start: line 3.' },
  }
  expect(await call('weather_forecast', '{"city":"Oslo"}')).toBe('The function could not start: line 3.')
})
