import type { IntegrationWords } from '../../../shared/words/tool-words.ts'

/** What people read in other languages; English is what `integration.ts` says. Leave it out if English is enough. */
export const words: IntegrationWords = {
  de: {
    tools: {
      weather_forecast: {
        title: 'Wettervorhersage',
        summary: 'Wetter in {city} nachgesehen',
        fields: {
          city: {
            title: 'Ort',
            question: 'Für welchen Ort soll ich nachsehen?',
            hint: 'Bitte nenne den Namen des Ortes.',
          },
          days: {
            title: 'Tage',
            question: 'Für wie viele Tage soll ich nachsehen?',
            hint: 'Bitte nenne eine Zahl von 1 bis 7.',
          },
        },
      },
    },
    providers: {},
  },
}
