import type { IntegrationWords } from '../../../shared/words/tool-words.ts'

/** Everything that this integration says, in other languages. */
export const words = {
  de: {
    tools: {
      schedules_create: {
        title: 'Zeitplan anlegen',
        confirm: '{message} zu festen Zeiten erledigen[, das nächste Mal am {cron:next}]?',
        summary: '{message} eingeplant, das nächste Mal am {output.next[0]}',
        button: 'Zeitplan anlegen',
        past: 'eingeplant',
        fields: {
          message: {
            title: 'Nachricht',
            short: 'Was',
            question: 'Was soll jedes Mal geschehen?',
            hint: 'Bitte sag es wie in einem Chat.',
          },
          cron: {
            title: 'Zeiten',
            short: 'Wann',
            question: 'Wann soll es geschehen?',
            hint: 'Bitte nenne einen Cron-Ausdruck aus fünf Teilen, etwa 0 9 * * 1-5 für neun Uhr von Montag bis Freitag.',
          },
          time_zone: {
            title: 'Zeitzone',
            question: 'In welcher Zeitzone?',
            hint: 'Bitte nenne ihren Namen, etwa Europe/Berlin.',
          },
          until: {
            title: 'Ende',
            question: 'Wann soll es enden?',
            hint: 'Bitte nenne ein Datum mit Uhrzeit.',
          },
        },
      },
      schedules_list: {
        title: 'Zeitpläne auflisten',
        summary: 'Die Zeitpläne aufgelistet: {output.schedules#Zeitplan|Zeitpläne}',
        fields: {},
      },
      schedules_delete: {
        title: 'Zeitplan löschen',
        confirm: 'Den Zeitplan[ {schedule_id:message}] löschen?',
        summary: 'Den Zeitplan {output.message} gelöscht',
        button: 'Zeitplan löschen',
        past: 'gelöscht',
        fields: {
          schedule_id: {
            title: 'Zeitplan',
            question: 'Welcher Zeitplan soll gelöscht werden?',
            hint: 'Bitte sag, was er tut.',
          },
        },
      },
    },
    providers: {},
  },
} satisfies IntegrationWords
