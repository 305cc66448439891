import * as z from 'zod'
import {
  type Integration,
  type IntegrationProvider,
  toJsonSchema,
} from '../../../shared/integrations/definition/integration.ts'

/** Keys for models are connections too: a user's own goes before the server's. They have no tools. */
export const integration: Integration = {
  name: 'integration-settings',
  providers: [
    modelProvider('openai', 'OpenAI', 'sk-', 'https://platform.openai.com/api-keys'),
    modelProvider('anthropic', 'Anthropic', 'sk-ant-', 'https://platform.claude.com/settings/keys'),
    modelProvider('gemini', 'Gemini', 'AIza', 'https://aistudio.google.com/apikey'),
    modelProvider('openrouter', 'OpenRouter', 'sk-or-', 'https://openrouter.ai/settings/keys'),
  ],
  tools: [],
}

/** `id` is the same as in the model presets; `keysAt`: the page where people get a key. */
function modelProvider(id: string, name: string, start: string, keysAt: string): IntegrationProvider {
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
