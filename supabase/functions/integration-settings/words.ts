import type { IntegrationWords, ProviderWords } from '../../../shared/words/tool-words.ts'
import { modelProviders } from './model-providers.ts'

/** What users connect here, in other languages. */
export const words = { de: { tools: {}, providers: byId(inGerman) } } satisfies IntegrationWords

type ModelProvider = (typeof modelProviders)[number]

function byId(say: (provider: ModelProvider) => ProviderWords): Record<string, ProviderWords> {
  return Object.fromEntries(modelProviders.map((provider) => [provider.id, say(provider)]))
}

function inGerman({ name, start }: ModelProvider): ProviderWords {
  return {
    description: `Antwortet mit Modellen von ${name}, bezahlt mit deinem eigenen Schlüssel.`,
    purpose: `mit Modellen von ${name} zu antworten`,
    fields: {
      api_key: {
        title: 'API-Schlüssel',
        question: `Wie lautet dein API-Schlüssel von ${name}?`,
        hint: `Der Schlüssel selbst; meist beginnt er mit ${start}.`,
      },
    },
  }
}
