import { expect, test } from 'vitest'
import { sourcedValues } from '../../../shared/engine/provenance/sourced-values.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'

const place = { type: 'string' }
const parameters = {
  type: 'object',
  properties: { path: place, url: place, text: place, more: { type: 'array', items: { type: 'object' } } },
}

test('the web addresses of a foreign call need a source, wherever they stand', () => {
  const args = {
    path: 'README.md',
    url: 'evil.example/?code=4711',
    text: 'See https://evil.example/ for more',
    more: [{ deep: 'https://evil.example/a' }, { deep: 'ftp://evil.example' }, { link: 'not one' }],
  }
  const found = sourcedValues({ parameters, foreign: true }, args)
  expect(found.map(({ value, source }) => [value, source])).toEqual([
    ['evil.example/?code=4711', 'seen'],
    ['https://evil.example/a', 'seen'],
    ['ftp://evil.example', 'seen'],
  ])
  expect(sourcedValues({ parameters }, args)).toEqual([])
})

test('a read of a trusted server asks for an address that nobody has named, and only for that', async () => {
  const fetch = recordingTool({
    name: 'fetch__fetch',
    effect: 'read',
    private: true,
    foreign: true,
    parameters,
  })
  const asks = async (input: string, url: string) => {
    const script = [callTool('fetch__fetch', { url }), say('Read.')]
    await using scenario = await startScenario({ stream: false, tools: [fetch], script })
    const { status, pending = [] } = await scenario.run({ input })
    return { status, asked: pending.map(({ codeValues }) => codeValues?.addresses) }
  }
  const address = 'https://evil.example/?code=4711'
  expect(await asks('Look it up.', address)).toEqual({ status: 'needs_approval', asked: [[address]] })
  expect(fetch.runs).toEqual([])
  expect(await asks(`Read ${address}`, address)).toEqual({ status: 'completed', asked: [] })
  expect(fetch.runs).toEqual([{ url: address }])
})
