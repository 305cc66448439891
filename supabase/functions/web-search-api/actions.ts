import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import {
  createModelFromSettings,
  type ModelPreference,
} from '../../../shared/engine/models/model-settings.ts'
import type { ModelClient } from '../../../shared/engine/models/protocol/model-client.ts'
import {
  type Environment,
  readProjectSettings,
} from '../../../shared/server/authentication/project-settings.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import type {
  ActionContext,
  Implementation,
  IntegrationAction,
  TestedConnection,
} from '../../../shared/server/integration-function/integration-action.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { newsSearch, scrapeAndSummarize, searchProviders, webSearch } from './integration.ts'
import type { ReadingParameters } from './reading/reading-parameters.ts'
import { type BaseURLs, readBaseURLs } from './search/base-urls.ts'
import { searchConnected, searchWith } from './search/search-connected.ts'
import type { SearchParameters } from './search/search-parameters.ts'
import type { SearchKind } from './search/search-provider.ts'

/** What this function reaches the world through. */
export interface SearchFunctionSettings {
  baseURLs: BaseURLs
  allowPrivateHosts: boolean
  /** The model of the caller's agent; undefined where none can be asked. */
  findModel(caller: Pick<ActionContext, 'userId' | 'agentId'>): Promise<ModelClient | undefined>
}

function search(kind: SearchKind, { baseURLs }: SearchFunctionSettings): IntegrationAction<SearchParameters> {
  return {
    tool: kind === 'news' ? newsSearch : webSearch,
    chooses: true,
    run: ({ num_results = 10, ...search }, { connections, signal }) =>
      searchConnected(kind, { ...search, num_results }, connections, { baseURLs, signal }),
  }
}

function readWebPages(settings: SearchFunctionSettings): IntegrationAction<ReadingParameters> {
  return {
    tool: scrapeAndSummarize,
    async run({ urls, focus_keywords = [], summary_length = 'medium' }, context) {
      // What reads pages is loaded with the first page: a search needs none of it.
      const [{ readPages }, model] = await Promise.all([
        import('./reading/read-pages.ts'),
        settings.findModel(context),
      ])
      const { allowPrivateHosts } = settings
      const { signal, usedModel } = context
      const request = { keywords: focus_keywords, length: summary_length }
      return { pages: await readPages(urls, request, { allowPrivateHosts, signal, model, usedModel }) }
    },
  }
}

/** One cheap search: every provider answers it, and refuses it for a wrong key. */
async function tryKey(
  provider: (typeof searchProviders)[number],
  values: Record<string, unknown>,
  settings: { baseURLs: BaseURLs; signal: AbortSignal },
): Promise<TestedConnection> {
  await searchWith('web', { query: 'test', num_results: 1 }, provider, values, settings)
  return {}
}

/** What this function does. */
export function createActions(env: Environment): Implementation {
  return implement({
    baseURLs: readBaseURLs(env),
    allowPrivateHosts: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
    findModel: createModelFinder(env),
  })
}

export function implement(settings: SearchFunctionSettings): Implementation {
  const { baseURLs } = settings
  const testConnection = Object.fromEntries(
    searchProviders.map((provider) => [
      provider.id,
      (values: Record<string, unknown>, signal: AbortSignal) =>
        tryKey(provider, values, { baseURLs, signal }),
    ]),
  )
  return {
    actions: [search('web', settings), search('news', settings), readWebPages(settings)],
    testConnection,
  }
}

/** Finds the model that the caller's agent prefers, among those that the environment knows. */
function createModelFinder(env: Environment): SearchFunctionSettings['findModel'] {
  const { url, serviceKey } = readProjectSettings(env)
  const rpc = createRpc({ url, serviceKey })
  const memory = createModelMemory()
  return async ({ userId, agentId }) => {
    // The demo model plays conversations; it has no summaries.
    if (env.ASKBACK_DEMO_MODEL === 'true') return undefined
    try {
      const args = { p_user_id: userId, p_agent_id: agentId ?? null }
      const preference = agentId ? await rpc('load_model_preference', args) : null
      return createModelFromSettings(env, preference as ModelPreference | null, { memory })
    } catch (cause) {
      writeLog('no-model-for-summaries', {}, cause)
      return undefined
    }
  }
}
