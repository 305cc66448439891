import { expect, test } from 'vitest'
import { startSimulator } from '../../../local/simulator/start-simulator.ts'
import { baseURLSetting, readBaseURL } from '../../../supabase/functions/web-search-api/search/base-url.ts'
import { searchProviders } from '../../../supabase/functions/web-search-api/search/providers.ts'
import type { SearchProvider } from '../../../supabase/functions/web-search-api/search/search-provider.ts'

const [known] = searchProviders as readonly [SearchProvider]
/** One that is added while the stack runs: the simulator was started without it. */
const added: SearchProvider = { ...known, id: 'added-later', host: 'https://added.example' }

test('where search is simulated, no provider is reached for real, not even one that was added since', async () => {
  const simulator = await startSimulator(['search'], 0)
  try {
    for (const provider of [...searchProviders, added]) {
      const elsewhere = { [baseURLSetting(provider)]: 'https://proxy.example' }
      expect(readBaseURL(provider, { ...elsewhere, ...simulator.environment })).toBe(
        `${simulator.url}/${provider.id}`,
      )
    }
    const { method, path } = added.endpoints.web
    const answer = await fetch(`${readBaseURL(added, simulator.environment)}${path}`, { method })
    expect([answer.status, (await answer.json()).error]).toEqual([
      501,
      'The simulator has no such place. If it was added just now, restart the stack.',
    ])
  } finally {
    await simulator.close()
  }
})

test('where only Google is simulated, or nothing, providers are where they say', async () => {
  const simulator = await startSimulator(['google'], 0)
  await simulator.close()
  expect(readBaseURL(added, simulator.environment)).toBe('https://added.example')
  expect(readBaseURL(added, { [baseURLSetting(added)]: 'https://proxy.example/' })).toBe(
    'https://proxy.example',
  )
})
