import * as z from 'zod'
import {
  type Integration,
  type IntegrationProvider,
  toJsonSchema,
} from '../../../shared/integrations/definition/integration.ts'
import { modelProviders } from './model-providers.ts'
import { words } from './words.ts'

/** Keys for models are connections too: a user's own goes before the server's. They have no tools. */
export const integration: Integration = {
  name: 'integration-settings',
  providers: modelProviders.map(describeProvider),
  tools: [],
  words,
}

function describeProvider({ id, name, start, keysAt }: (typeof modelProviders)[number]): IntegrationProvider {
  const connection = z
    .strictObject({
      api_key: z
        .string()
        .min(1)
        .max(1024)
        .regex(/^[!-~]+$/)
        .meta({
          title: 'API key',
          question: `What is your ${name} API key?`,
          hint: `Please provide the key itself; it usually begins with ${start}.`,
          secret: true,
        }),
    })
    .meta({ keysAt })
  return {
    id,
    name,
    description: `Answers with models of ${name}, paid with your own key.`,
    service: 'language model',
    purpose: `answer with models of ${name}`,
    connection: toJsonSchema(connection),
  }
}
