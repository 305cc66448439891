import { emailSentences, mailboxEmailWords } from '../../../shared/integrations/email/email-words.ts'
import type { FieldWords, IntegrationWords } from '../../../shared/words/tool-words.ts'
import { gmailScopes } from './scopes.ts'

const emailQuery: FieldWords = {
  title: 'Suchtext',
  question: 'Welche E-Mails soll ich suchen?',
  hint: 'Sag, von wem sie sind, worum es geht oder wann sie kamen.',
}

const paging: Record<string, FieldWords> = {
  max_results: { title: 'Höchstzahl' },
  page_token: { title: 'Seite' },
}

const emails: FieldWords = {
  title: 'E-Mails',
  question: 'Um welche E-Mails geht es?',
  hint: 'Bitte nenne ihre IDs; eine Suche findet sie.',
}

/** What is done with emails: German puts the verb after them. */
const change = {
  before: '[{action=unstar:Stern von} ]',
  now: '{action=mark_read: als gelesen markieren|mark_unread: als ungelesen markieren|archive: archivieren|unarchive: aus dem Archiv holen|star: mit Stern markieren|unstar: entfernen|delete: in den Papierkorb legen|delete_forever: endgültig löschen}',
  done: '{action=mark_read: als gelesen markiert|mark_unread: als ungelesen markiert|archive: archiviert|unarchive: aus dem Archiv geholt|star: mit Stern markiert|unstar: entfernt|delete: in den Papierkorb gelegt|delete_forever: endgültig gelöscht}',
}

/** Everything that this integration says, in other languages. */
export const words = {
  de: {
    tools: {
      gmail_send_email: {
        title: 'E-Mail mit Gmail senden',
        fields: mailboxEmailWords.de,
        ...emailSentences.de.send,
      },
      gmail_create_draft: {
        title: 'Entwurf in Gmail speichern',
        fields: mailboxEmailWords.de,
        ...emailSentences.de.draft,
      },
      gmail_search_emails: {
        title: 'Gmail durchsuchen',
        fields: { query: emailQuery, ...paging },
        summary: 'In Gmail nach {query} gesucht: {output.messages#E-Mail|E-Mails}',
      },
      gmail_read_emails: {
        title: 'Gmail lesen',
        fields: {
          message_ids: emails,
          query: emailQuery,
          label_ids: { title: 'Labels' },
          ...paging,
          include_body: { title: 'Ganzer Text' },
          from: { title: 'Erstes Zeichen' },
        },
        summary: '{output.messages#E-Mail|E-Mails} gelesen',
      },
      gmail_email_actions: {
        title: 'E-Mails in Gmail sortieren',
        fields: {
          action: {
            title: 'Was geschieht',
            question: 'Was soll ich mit diesen E-Mails tun?',
            choices: {
              mark_read: 'Als gelesen markieren',
              mark_unread: 'Als ungelesen markieren',
              archive: 'Archivieren',
              unarchive: 'Aus dem Archiv holen',
              star: 'Mit Stern markieren',
              unstar: 'Stern entfernen',
              delete: 'In den Papierkorb legen',
              delete_forever: 'Endgültig löschen',
            },
          },
          message_ids: emails,
        },
        confirm: `${change.before}{message_ids#E-Mail|E-Mails}${change.now}[: {message_ids:subject,from=von}]?`,
        summary: `${change.before}{output.results#E-Mail|E-Mails}${change.done}`,
        button: `${change.before}{message_ids#E-Mail|E-Mails}${change.now}`,
        past: '{action=mark_read:als gelesen markiert|mark_unread:als ungelesen markiert|archive:archiviert|unarchive:aus dem Archiv geholt|star:mit Stern markiert|unstar:geändert|delete:in den Papierkorb gelegt|delete_forever:gelöscht}',
      },
      gmail_manage_labels: {
        title: 'Labels in Gmail verwalten',
        fields: {
          action: {
            title: 'Was geschieht',
            question: 'Soll ich ein Label anlegen, die Labels auflisten oder eines vergeben oder entfernen?',
            choices: { create: 'Anlegen', list: 'Auflisten', apply: 'Vergeben', remove: 'Entfernen' },
          },
          label_name: {
            title: 'Label',
            question: 'Um welches Label geht es?',
            hint: 'Bitte nenne seinen Namen.',
          },
          message_ids: emails,
        },
        confirm:
          '[{action=create:Das Label} {label_name} anlegen|{action=list:Die Labels} auflisten|{message_ids#E-Mail|E-Mails} {action=apply:mit dem Label} {label_name} versehen|{action=remove:Das Label} {label_name} von {message_ids#E-Mail|E-Mails} entfernen|Labels ändern]?',
        summary:
          '[{action=create:Label} {label_name} angelegt|{action=list:Labels} aufgelistet|{message_ids#E-Mail|E-Mails} {action=apply:mit dem Label} {label_name} versehen|{action=remove:Label} {label_name} von {message_ids#E-Mail|E-Mails} entfernt|Labels geändert]',
        button:
          '{action=create:Label anlegen|list:Labels auflisten|apply:Label vergeben|remove:Label entfernen}',
        past: '{action=create:angelegt|list:aufgelistet|apply:vergeben|remove:entfernt}',
      },
    },
    providers: {
      gmail: {
        description: 'Sendet, entwirft, findet, liest und sortiert die Mails eines Google-Kontos.',
        purpose: 'mit deinen Mails zu arbeiten',
        account: 'ein Gmail-Konto',
        fields: { access_token: { title: 'Zugriffstoken' }, refresh_token: { title: 'Erneuerungstoken' } },
        scopes: {
          [gmailScopes.send]: 'Mails senden, ohne welche zu sehen',
          [gmailScopes.compose]: 'Entwürfe schreiben und Mails senden, ohne Eingegangenes zu lesen',
          [gmailScopes.readonly]: 'Alle Mails lesen, ohne etwas zu ändern',
          [gmailScopes.modify]:
            'Mails lesen, schreiben, senden und sortieren; nichts wird endgültig gelöscht',
          [gmailScopes.all]: 'Alles im Postfach, auch endgültig löschen',
        },
      },
    },
  },
} satisfies IntegrationWords
