import { emailSentences, emailWords } from '../../../shared/integrations/email/email-words.ts'
import type { IntegrationWords } from '../../../shared/words/tool-words.ts'

/** Everything that this integration says, in other languages. */
export const words = {
  de: {
    tools: {
      smtp_send_email: { title: 'E-Mail senden', fields: emailWords.de, ...emailSentences.de.send },
      smtp_test_connection: {
        title: 'Mailkonto testen',
        fields: {},
        summary: 'Das Mailkonto funktioniert',
      },
    },
    providers: {
      smtp: {
        description: 'Sendet E-Mails über jeden Mailserver, auf dem du ein Konto hast.',
        purpose: 'E-Mails zu senden',
        account: 'ein Mailkonto',
        fields: {
          host: {
            title: 'Mailserver',
            question: 'Welcher Server verschickt deine Mails?',
            hint: 'Bitte nenne seinen Namen; bei Adressen der üblichen Anbieter ist er bekannt.',
          },
          port: {
            title: 'Port',
            question: 'Auf welchem Port ist der Mailserver erreichbar?',
            hint: '465 geht überall; gehostetes Supabase sperrt 25 und 587.',
          },
          user: {
            title: 'Benutzername',
            question: 'Mit welchem Benutzernamen meldest du dich beim Mailserver an?',
            hint: 'Oft ist es deine E-Mail-Adresse.',
          },
          password: {
            title: 'Passwort',
            question: 'Wie lautet das Passwort deines Mailkontos?',
            hint: 'Das Passwort oder ein App-Passwort, wenn dein Anbieter das kennt.',
          },
          from: {
            title: 'Absender',
            question: 'Von welcher Adresse sollen deine Mails kommen?',
            hint: 'Eine Adresse oder ein Name mit Adresse; sonst der Benutzername.',
          },
        },
      },
    },
  },
} satisfies IntegrationWords
