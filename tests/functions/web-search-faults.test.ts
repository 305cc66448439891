import { createActions } from '../../supabase/functions/web-search-api/actions.ts'
import { integration } from '../../supabase/functions/web-search-api/integration.ts'
import { describeIntegration } from '../support/integration-suite.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'

/** Where each provider is asked, and an answer of it that finds nothing. */
const providers = [
  {
    id: 'serper',
    variable: 'SERPER_API_BASE_URL',
    web: ['/search', { searchParameters: {}, organic: [] }],
    news: ['/news', { searchParameters: {}, news: [] }],
  },
  {
    id: 'serpapi',
    variable: 'SERPAPI_API_BASE_URL',
    web: ['/search.json', { organic_results: [], news_results: [] }],
    news: ['/search.json', { organic_results: [], news_results: [] }],
  },
  {
    id: 'brave',
    variable: 'BRAVE_API_BASE_URL',
    web: ['/res/v1/web/search', { type: 'search', web: { results: [] } }],
    news: ['/res/v1/news/search', { type: 'news', results: [] }],
  },
] as const

for (const { id, variable, web, news } of providers) {
  const provider = await startScriptedProvider(Object.fromEntries([web, news]))
  describeIntegration({
    integration,
    createActions,
    provider,
    env: { [variable]: provider.url },
    connection: { provider: id, values: { api_key: `sk-planted-for-${id}-7f3a` } },
    cases: [
      { action: 'web_search', params: { query: 'Oslo' }, path: web[0] },
      { action: 'news_search', params: { query: 'Oslo' }, path: news[0] },
    ],
  })
}
