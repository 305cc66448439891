import type { FieldWords, IntegrationWords } from '../../../shared/words/tool-words.ts'
import { driveFile, wholeDrive } from './scopes.ts'

const documentId: FieldWords = {
  title: 'Dokument',
  question: 'Welches Dokument ist es?',
  hint: 'Bitte nenne seinen Link; eine Suche nach Wörtern daraus findet ihn.',
  unfit: 'Dieses Dokument finde ich nicht. Füge den Link ein oder nenne mir den Namen.',
}

const tab: FieldWords = {
  title: 'Tab',
  question: 'Welcher Tab ist es?',
  hint: 'Bitte nenne seinen Titel.',
}

/** By its title, if the conversation has it: nobody knows a document by its id. */
const document = {
  in: '[im Dokument {document_id:title}|in einem Dokument]',
  ofIt: '[des Dokuments {document_id:title}|eines Dokuments]',
  firstIn: '[Im Dokument {document_id:title}|In einem Dokument]',
  first: '[Das Dokument {document_id:title}|Ein Dokument]',
}
/** Where a document has several. */
const inTab = { asked: '[ (Tab {tab})]', done: '[ (Tab {output.tab})]' }
const right = '(Recht: {role=reader:lesen|commenter:kommentieren|writer:bearbeiten})'

/** Everything that this integration says, in other languages. */
export const words = {
  de: {
    tools: {
      docs_create_document: {
        title: 'Dokument anlegen',
        fields: {
          title: {
            title: 'Titel',
            question: 'Wie soll das Dokument heißen?',
            hint: 'Bitte nenne einen Titel.',
          },
          content: { title: 'Inhalt' },
        },
        confirm: 'Das Dokument {title} anlegen?',
        summary: 'Dokument [{output.title}|{title}] angelegt',
        button: 'Anlegen',
        past: 'angelegt',
      },
      docs_read_document: {
        title: 'Dokument lesen',
        fields: { document_id: documentId, tab, from: { title: 'Erstes Zeichen' } },
        summary: 'Dokument {output.title} gelesen',
      },
      docs_append_text: {
        title: 'Dokument ergänzen',
        fields: {
          document_id: documentId,
          tab,
          text: {
            title: 'Text',
            question: 'Was soll in das Dokument dazukommen?',
            hint: 'Bitte nenne den Text.',
          },
        },
        confirm: `{text} ${document.in}${inTab.asked} ergänzen?`,
        summary: `{text} ${document.in}${inTab.done} ergänzt`,
        button: 'Ergänzen',
        past: 'ergänzt',
      },
      docs_replace_text: {
        title: 'Text im Dokument ersetzen',
        fields: {
          document_id: documentId,
          tab,
          find: {
            title: 'Zu ersetzender Text',
            question: 'Welcher Text soll ersetzt werden?',
            hint: 'Bitte nenne ihn genau so, wie er im Dokument steht.',
          },
          replace: {
            title: 'Neuer Text',
            question: 'Was soll stattdessen dort stehen?',
            hint: 'Bitte nenne den neuen Text.',
          },
        },
        confirm: `Wörter ${document.in}${inTab.asked} ersetzen?`,
        summary: `${document.firstIn}${inTab.done} {find} durch [{replace}|nichts] ersetzt`,
        button: 'Ersetzen',
        past: 'ersetzt',
      },
      docs_restore_version: {
        title: 'Dokument wiederherstellen',
        fields: {
          document_id: documentId,
          revision: {
            title: 'Version',
            question: 'Welche Version soll wiederhergestellt werden?',
            hint: 'Bitte nenne ihre Nummer.',
          },
        },
        confirm: `Frühere Version ${document.ofIt} wiederherstellen?`,
        summary: `Frühere Version ${document.ofIt} wiederhergestellt`,
        button: 'Wiederherstellen',
        past: 'wiederhergestellt',
      },
      docs_search: {
        title: 'Dokumente durchsuchen',
        fields: {
          query: {
            title: 'Wörter',
            question: 'Nach welchen Wörtern soll gesucht werden?',
            hint: 'Bitte nenne Wörter aus dem Titel oder dem Text.',
          },
          max_results: { title: 'Anzahl der Dokumente' },
          page_token: { title: 'Seite' },
        },
        summary: 'In den Dokumenten nach {query} gesucht: {output.documents#Dokument|Dokumente}',
      },
      docs_share: {
        title: 'Dokument teilen',
        fields: {
          document_id: documentId,
          emails: {
            title: 'Personen',
            question: 'Mit wem soll das Dokument geteilt werden?',
            hint: 'Bitte nenne die E-Mail-Adressen.',
          },
          role: {
            title: 'Rolle',
            question: 'Was dürfen sie mit dem Dokument tun: lesen, kommentieren oder bearbeiten?',
            hint: 'Bitte wähle.',
            choices: { reader: 'Lesen', commenter: 'Kommentieren', writer: 'Bearbeiten' },
          },
        },
        confirm: `${document.first} mit {emails~Personen} teilen ${right}?`,
        summary: `${document.first} mit {emails~Personen} geteilt ${right}`,
        button: 'Teilen',
        past: 'geteilt',
      },
    },
    providers: {
      'google-docs': {
        description:
          'Erstellt, liest und ändert Dokumente in deinem Google Drive, aber nur solche, die hier entstanden sind.',
        purpose: 'mit deinen Google-Dokumenten zu arbeiten',
        account: 'ein Google-Konto',
        fields: {},
        scopes: {
          [driveFile]:
            'Hier entstandene Dokumente anlegen, lesen, ändern und teilen; keine andere Datei sehen',
          [wholeDrive]: 'Jede Datei im Drive lesen und ändern',
        },
      },
      'askback-docs': {
        description: 'Dokumente, die hier liegen, nur für dich. Es muss nichts verbunden werden.',
        purpose: 'Dokumente aufzubewahren',
        fields: {},
      },
    },
  },
} satisfies IntegrationWords
