import type { IntegrationWords } from '../../../shared/words/tool-words.ts'

/** What people read in other languages; English is what `integration.ts` says. Leave it out if English is enough. */
export const words: IntegrationWords = {
  de: {
    tools: {
      tasks_find: {
        title: 'Aufgaben suchen',
        summary: 'Nach Aufgaben zu {query} gesucht',
        fields: {
          query: {
            title: 'Suchwörter',
            question: 'Nach welchen Aufgaben soll ich suchen?',
            hint: 'Bitte nenne Wörter aus ihren Titeln.',
          },
          limit: {
            title: 'Anzahl der Aufgaben',
            question: 'Wie viele Aufgaben soll ich suchen?',
            hint: 'Bitte nenne eine Zahl von 1 bis 50.',
          },
        },
      },
      tasks_add: {
        title: 'Aufgabe anlegen',
        confirm: 'Die Aufgabe {title} anlegen?',
        button: 'Aufgabe anlegen',
        summary: 'Die Aufgabe {title} angelegt',
        fields: {
          title: {
            title: 'Titel',
            question: 'Was ist zu tun?',
            hint: 'Bitte nenne den Titel der Aufgabe.',
          },
          due: {
            title: 'Fällig am',
            question: 'Wann ist die Aufgabe fällig?',
            hint: 'Bitte nenne ein Datum wie 2027-03-01.',
          },
        },
      },
    },
    providers: {
      tasks: {
        description: 'Sucht Aufgaben und legt welche an. Du brauchst einen API-Schlüssel von Tasks.',
        purpose: 'mit deinen Aufgaben zu arbeiten',
        fields: {
          api_key: {
            title: 'API-Schlüssel',
            question: 'Wie lautet dein API-Schlüssel von Tasks?',
            hint: 'Bitte kopiere ihn aus deinem Konto bei Tasks.',
          },
        },
      },
    },
  },
}
