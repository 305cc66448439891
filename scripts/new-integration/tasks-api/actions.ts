import * as z from 'zod'
import { askJson } from '../../../shared/integrations/network/ask-json.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type {
  Implementation,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import { type addParameters, addTask, type findParameters, findTasks, provider } from './integration.ts'

/** The parts of the answers that are used. Check them against the documentation of your provider. */
const task = z.object({ id: z.string(), title: z.string(), due: z.string().optional() })
const page = z.object({ items: z.array(task) })
const account = z.object({ email: z.string() })

/** A minute after a request was sent, it has ended: `askJson` gives up after 25 s. */
const longestRequestMs = 60_000

/** The actions of this function. `TASKS_API_BASE_URL` replaces the address of the provider, as in the test. */
export function createActions(env: Environment): Implementation {
  const url = env.TASKS_API_BASE_URL || 'https://tasks.example.com'
  const headersOf = (values: Record<string, unknown> = {}) => ({ authorization: `Bearer ${values.api_key}` })

  const find: IntegrationAction<z.infer<typeof findParameters>> = {
    tool: findTasks,
    async run({ query, limit = 10 }, { connection, signal }) {
      const search = new URLSearchParams({ query, limit: String(limit) })
      const headers = headersOf(connection?.values)
      const { items } = page.parse(await askJson(`${url}/v1/search?${search}`, { headers, signal }))
      return { tasks: items }
    },
  }

  const add: IntegrationAction<z.infer<typeof addParameters>> = {
    tool: addTask,
    async run(json, { connection, effectBegins, idempotencyKey, signal }) {
      // The provider does nothing twice with one key: a second try after a lost answer has the same.
      const headers = { ...headersOf(connection?.values), 'idempotency-key': idempotencyKey }
      // From here on only a refusal of the provider proves that nothing happened.
      effectBegins()
      return task.parse(await askJson(`${url}/v1/tasks`, { headers, json, signal }))
    },
    // Asked when the answer was lost. Leave it out if your provider cannot say; then the user is asked.
    async verify(_, { connection, effectStartedAt, idempotencyKey, signal }) {
      const search = new URLSearchParams({ idempotency_key: idempotencyKey })
      const headers = headersOf(connection?.values)
      const { items } = page.parse(await askJson(`${url}/v1/search?${search}`, { headers, signal }))
      if (items.length > 0) return 'sent'
      return Date.now() - effectStartedAt.getTime() > longestRequestMs ? 'not_sent' : 'unknown'
    },
  }

  return {
    actions: [find, add],
    // Tried when a user connects an account, before the key is stored.
    testConnection: {
      [provider.id]: async (values, signal) => {
        const headers = headersOf(values)
        const { email } = account.parse(await askJson(`${url}/v1/me`, { headers, signal }))
        return { account: email }
      },
    },
  }
}
