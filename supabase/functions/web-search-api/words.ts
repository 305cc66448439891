import type { FieldWords, IntegrationWords, ProviderWords } from '../../../shared/words/tool-words.ts'

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

/** What a search provider is called, what it searches with, and where its keys are from. */
interface SearchFacts {
  name: string
  engine: string
  keysFrom: string
}

/** The words for every search provider: they differ in its names only. */
export const providerWords = {
  de: ({ name, engine, keysFrom }: SearchFacts): ProviderWords => ({
    description: `Sucht im Web mit ${engine}. Du brauchst einen API-Schlüssel von ${keysFrom}.`,
    purpose: 'im Web zu suchen',
    fields: {
      api_key: {
        title: 'API-Schlüssel',
        question: `Wie lautet dein API-Schlüssel von ${name}?`,
        hint: `Kopiere ihn aus deinem Konto bei ${name}.`,
      },
    },
  }),
}

/** Everything that the tools of this integration say, in other languages. */
export const toolWords = {
  de: {
    web_search: {
      title: 'Im Web suchen',
      fields: searchFields,
      confirm: 'Im Web nach {query} suchen?',
      summary: 'Im Web nach {query} gesucht: {output.results#Treffer}',
      button: 'Suchen',
    },
    news_search: {
      title: 'News suchen',
      fields: searchFields,
      confirm: 'In den News nach {query} suchen?',
      summary: 'In den News nach {query} gesucht: {output.results#Treffer}',
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
} satisfies { [Language in keyof IntegrationWords]: IntegrationWords[Language]['tools'] }
