import type { IntegrationProvider } from '../../../shared/integrations/definition/integration.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type {
  Implementation,
  IntegrationAction,
  TestedConnection,
} from '../../../shared/server/integration-function/integration-action.ts'
import { integration, newsSearch, scrapeAndSummarize, webSearch } from './integration.ts'
import { createModelFinder, type FindModel } from './model-finder.ts'
import type { ReadingParameters } from './reading/reading-parameters.ts'
import { readBaseURL } from './search/base-url.ts'
import { type Reach, searchConnected, searchWith } from './search/search-connected.ts'
import type { SearchParameters } from './search/search-parameters.ts'
import type { SearchKind } from './search/search-provider.ts'

/** The external dependencies of this function. */
export interface SearchFunctionSettings {
  baseURL: Reach['baseURL']
  allowLoopback: boolean
  findModel: FindModel
}

function search(kind: SearchKind, { baseURL }: SearchFunctionSettings): IntegrationAction<SearchParameters> {
  return {
    tool: kind === 'news' ? newsSearch : webSearch,
    chooses: true,
    run: ({ num_results = 10, ...search }, { connections, signal }) =>
      searchConnected(kind, { ...search, num_results }, connections, { baseURL, signal }),
  }
}

function readWebPages(settings: SearchFunctionSettings): IntegrationAction<ReadingParameters> {
  return {
    tool: scrapeAndSummarize,
    async run({ urls, focus_keywords = [], summary_length = 'medium', from = 0 }, context) {
      // The page reader is loaded with the first page: a search does not need it.
      const [{ readPages }, model] = await Promise.all([
        import('./reading/read-pages.ts'),
        settings.findModel(context, new Set(urls).size),
      ])
      const { allowLoopback } = settings
      const { signal, usedModel, freePlaces } = context
      const request = { keywords: focus_keywords, length: summary_length, from }
      return {
        pages: await readPages(urls, request, { allowLoopback, signal, model, usedModel, freePlaces }),
      }
    },
  }
}

/** One cheap search: every provider answers it, and refuses it for a wrong key. */
async function tryKey(
  provider: IntegrationProvider,
  values: Record<string, unknown>,
  reach: Reach,
): Promise<TestedConnection> {
  await searchWith('web', { query: 'test', num_results: 1 }, provider, values, reach)
  return {}
}

/** The actions of this function. */
export function createActions(env: Environment): Implementation {
  return implement({
    baseURL: (provider) => readBaseURL(provider, env),
    allowLoopback: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
    findModel: createModelFinder(env),
  })
}

export function implement(settings: SearchFunctionSettings): Implementation {
  const { baseURL } = settings
  const testConnection = Object.fromEntries(
    integration.providers.map((provider) => [
      provider.id,
      (values: Record<string, unknown>, signal: AbortSignal) => tryKey(provider, values, { baseURL, signal }),
    ]),
  )
  return {
    actions: [search('web', settings), search('news', settings), readWebPages(settings)],
    testConnection,
  }
}
