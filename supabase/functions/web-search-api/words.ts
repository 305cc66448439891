import type { FieldWords, IntegrationWords, ProviderWords } from '../../../shared/words/tool-words.ts'
import { searchProviders } from './search/providers.ts'
import type { SearchProvider } from './search/search-provider.ts'

const searchFields: Record<string, FieldWords> = {
  query: {
    title: 'Suchwörter',
    question: 'Wonach soll ich suchen?',
    hint: 'Bitte nenne die Suchwörter.',
  },
  num_results: {
    title: 'Anzahl der Treffer',
    question: 'Wie viele Treffer soll ich suchen?',
    hint: 'Bitte nenne eine ganze Zahl von 1 bis 20.',
  },
  country: {
    title: 'Land',
    question: 'Für welches Land soll ich suchen?',
    hint: 'Bitte nenne sein Kürzel aus zwei Buchstaben.',
  },
  language: {
    title: 'Sprache',
    question: 'In welcher Sprache sollen die Treffer sein?',
    hint: 'Bitte nenne ihr Kürzel aus zwei Buchstaben.',
  },
  time_range: {
    title: 'Zeitraum',
    question: 'Wie neu sollen die Treffer sein?',
    hint: 'Bitte wähle.',
    choices: { day: 'Tag', week: 'Woche', month: 'Monat', year: 'Jahr' },
  },
}

/** What all search providers say, by id: they differ in their names only. */
function byId(say: (provider: SearchProvider) => ProviderWords): Record<string, ProviderWords> {
  return Object.fromEntries(searchProviders.map((provider) => [provider.id, say(provider)]))
}

function inGerman({ name, engine, keysFrom }: SearchProvider): ProviderWords {
  return {
    description: `Sucht im Web mit ${engine}. Du brauchst einen API-Schlüssel von ${keysFrom}.`,
    purpose: 'im Web zu suchen',
    fields: {
      api_key: {
        title: 'API-Schlüssel',
        question: `Wie lautet dein API-Schlüssel von ${name}?`,
        hint: `Kopiere ihn aus deinem Konto bei ${name}.`,
      },
    },
  }
}

/** Everything that this integration says, in other languages. */
export const words = {
  de: {
    tools: {
      web_search: {
        title: 'Im Web suchen',
        fields: searchFields,
        confirm: 'Im Web nach {query} suchen?',
        summary: 'Im Web nach {query} gesucht: {output.results#Treffer}',
        button: 'Suchen',
      },
      news_search: {
        title: 'Nachrichten suchen',
        fields: searchFields,
        confirm: 'In den Nachrichten nach {query} suchen?',
        summary: 'In den Nachrichten nach {query} gesucht: {output.results#Treffer}',
        button: 'Suchen',
      },
      scrape_and_summarize: {
        title: 'Webseiten lesen',
        fields: {
          urls: {
            title: 'Webadressen',
            question: 'Welche Seiten soll ich lesen?',
            hint: 'Bitte nenne ihre Adressen, jede beginnt mit https://.',
          },
          focus_keywords: {
            title: 'Worum es gehen soll',
            question: 'Worum soll es in der Zusammenfassung gehen?',
            hint: 'Bitte nenne ein paar Wörter.',
          },
          summary_length: {
            title: 'Länge der Zusammenfassung',
            question: 'Wie lang soll die Zusammenfassung sein?',
            hint: 'Bitte wähle.',
            choices: { short: 'Kurz', medium: 'Mittel', long: 'Lang' },
          },
          from: { title: 'Erstes Zeichen' },
        },
        confirm: '{urls} lesen?',
        summary: '{urls} gelesen',
        button: '{urls#Seite|Seiten} lesen',
      },
    },
    providers: byId(inGerman),
  },
} satisfies IntegrationWords
