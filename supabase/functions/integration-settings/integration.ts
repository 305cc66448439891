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
    modelProvider('openai', 'OpenAI', 'sk-'),
    modelProvider('anthropic', 'Anthropic', 'sk-ant-'),
    modelProvider('gemini', 'Gemini', 'AIza'),
    modelProvider('openrouter', 'OpenRouter', 'sk-or-'),
  ],
  tools: [],
}

/** `id` is the same as in the model presets. */
function modelProvider(id: string, name: string, start: string): IntegrationProvider {
  const connection = z.strictObject({
    api_key: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^\S+$/)
      .meta({
        title: 'API key',
        question: `What is your ${name} API key?`,
        hint: `Please provide the key itself; it usually begins with ${start}.`,
        secret: true,
      }),
  })
  return {
    id,
    name,
    description: `Answers with models of ${name}, paid with your own key.`,
    service: 'language model',
    purpose: `answer with models of ${name}`,
    connection: toJsonSchema(connection),
  }
}
