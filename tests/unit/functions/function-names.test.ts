import { expect, test } from 'vitest'
import { readFunctionPath, readInstalled, serveAs } from '../../../shared/server/functions/function-names.ts'

const renamed = { ASKBACK_FUNCTIONS: 'chat=assistant,smtp-api=smtp-api' }

test('paths of functions have the names of the project', () => {
  expect(readFunctionPath(renamed)('chat/open?agentId=chat')).toBe(
    '/functions/v1/assistant/open?agentId=chat',
  )
  expect(readFunctionPath(renamed)('file-text?file=1')).toBe('/functions/v1/file-text?file=1')
  expect(readFunctionPath({})('chat')).toBe('/functions/v1/chat')
})

test('integrations that are not listed are not there, and without a list all of them are', () => {
  const [smtp, gmail] = ['smtp-api', 'gmail-api'].map((name) => ({ source: 'askback', function: name }))
  const weather = { source: 'project', function: 'weather-api' }
  expect([smtp, gmail, weather].map((row) => row && readInstalled(renamed)(row))).toEqual([true, false, true])
  expect(gmail && readInstalled({})(gmail)).toBe(true)
})

test('functions of the app are tools only where the integration is that calls them', () => {
  const tool = { source: 'application', function: 'database-api' }
  expect(readInstalled(renamed)(tool)).toBe(false)
  expect(readInstalled({ ASKBACK_FUNCTIONS: 'chat=assistant,database-api=database-api' })(tool)).toBe(true)
  expect(readInstalled({})(tool)).toBe(true)
})

test('a function sees its own name in front of every path, and the request stays the same', async () => {
  const seen: Request[] = []
  const handle = serveAs('chat', renamed, (request) => {
    seen.push(request)
    return new Response(new URL(request.url).pathname)
  })
  const request = new Request('https://project.example/assistant/x/stream?a=1', {
    method: 'POST',
    body: 'text',
  })
  expect(await (await handle(request)).text()).toBe('/chat/x/stream')
  expect(seen[0]).toBe(request)
  expect(await request.text()).toBe('text')
  expect(await (await handle(new Request('https://project.example/assistants'))).text()).toBe('/assistants')
})
