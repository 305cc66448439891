import { createActions } from '../../supabase/functions/web-search-api/actions.ts'
import { integration } from '../../supabase/functions/web-search-api/integration.ts'
import { baseURLSetting } from '../../supabase/functions/web-search-api/search/base-url.ts'
import { searchProviders } from '../../supabase/functions/web-search-api/search/providers.ts'
import { describeIntegration } from '../../support/integration-suite.ts'
import { startScriptedProvider } from '../../support/scripted-provider.ts'

for (const search of searchProviders) {
  const { id, endpoints, documented } = search
  const found = (kind: 'web' | 'news') =>
    [endpoints[kind].path, documented.results(kind, 'Oslo', [])] as const
  // Where both have one path, what finds no web page finds no news.
  const provider = await startScriptedProvider(Object.fromEntries([found('web'), found('news')]))
  describeIntegration({
    integration,
    createActions,
    provider,
    env: { [baseURLSetting(search)]: provider.url },
    connection: { provider: id, values: { api_key: `sk-planted-for-${id}-7f3a` } },
    cases: [
      { action: 'web_search', params: { query: 'Oslo' }, path: endpoints.web.path },
      { action: 'news_search', params: { query: 'Oslo' }, path: endpoints.news.path },
    ],
  })
}
