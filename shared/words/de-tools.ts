import type { Show } from './show.ts'
import type { FieldWords, Known, Providers, Scopes, Services, Tools, Values } from './tool-words.ts'

const emailFields: Readonly<Record<string, FieldWords>> = {
  to: {
    title: 'E-Mail-Adresse des Empfängers',
    short: 'An',
    question: 'An wen soll ich diese E-Mail senden?',
    hint: 'Bitte nenne die E-Mail-Adresse.',
  },
  cc: {
    title: 'Cc',
    question: 'Wer soll eine Kopie dieser E-Mail bekommen?',
    hint: 'Bitte nenne die E-Mail-Adresse.',
  },
  bcc: {
    title: 'Bcc',
    question: 'Wer soll eine Blindkopie dieser E-Mail bekommen?',
    hint: 'Bitte nenne die E-Mail-Adresse.',
  },
  reply_to: {
    title: 'Adresse für Antworten',
    short: 'Antwort an',
    question: 'An welche Adresse sollen Antworten gehen?',
    hint: 'Bitte nenne die E-Mail-Adresse.',
  },
  subject: {
    title: 'Betreff',
    question: 'Was ist der Betreff dieser E-Mail?',
    hint: 'Bitte nenne den Betreff in einer Zeile.',
  },
  body: {
    title: 'Text der E-Mail',
    short: 'Text',
    question: 'Was soll in dieser E-Mail stehen?',
    hint: 'Bitte schreibe den Text der Nachricht.',
  },
  html: { title: 'HTML der E-Mail', short: 'HTML' },
  from: {
    title: 'Absenderkonto',
    short: 'Von',
    question: 'Von welchem deiner Konten soll diese E-Mail kommen?',
    hint: 'Bitte nenne die E-Mail-Adresse des Kontos.',
  },
  attachments: { title: 'Anhänge' },
  'attachments.file_id': {
    title: 'Deine Datei',
    question: 'Welche deiner Dateien soll ich anhängen?',
    hint: 'Bitte nenne sie so, wie sie in der Unterhaltung heißt.',
  },
  'attachments.filename': {
    title: 'Dateiname',
    question: 'Wie soll die angehängte Datei heißen?',
    hint: 'Bitte nenne einen Dateinamen.',
  },
  'attachments.content': {
    title: 'Inhalt',
    question: 'Was steht in der angehängten Datei?',
    hint: 'Bitte gib den Inhalt als Text an, bei anderen Dateien in Base64.',
  },
  'attachments.content_type': { title: 'Dateityp', hint: 'Zum Beispiel application/pdf.' },
  'attachments.encoding': { title: 'Kodierung', choices: { text: 'Text', base64: 'Base64' } },
}

const mailboxFields: Readonly<Record<string, FieldWords>> = {
  ...emailFields,
  'attachments.message_id': {
    title: 'E-Mail mit der Datei',
    question: 'An welcher E-Mail hängt die Datei?',
    hint: 'Bitte nenne die ID der E-Mail.',
  },
  'attachments.attachment_id': {
    title: 'Datei dieser E-Mail',
    question: 'Welche Datei dieser E-Mail soll ich anhängen?',
    hint: 'Bitte nenne die ID der Datei.',
  },
  reply_to_message_id: {
    title: 'Beantwortete E-Mail',
    question: 'Welche E-Mail soll damit beantwortet werden?',
    hint: 'Bitte nenne ihre ID.',
  },
}

const emailQuery: FieldWords = {
  title: 'Suchtext',
  question: 'Welche E-Mails soll ich suchen?',
  hint: 'Sag, von wem sie sind, worum es geht oder wann sie kamen.',
}

const paging: Readonly<Record<string, FieldWords>> = {
  max_results: { title: 'Höchstzahl' },
  page_token: { title: 'Seite' },
}

const emails: FieldWords = {
  title: 'E-Mails',
  question: 'Um welche E-Mails geht es?',
  hint: 'Bitte nenne ihre IDs; eine Suche findet sie.',
}

const documentId: FieldWords = {
  title: 'Dokument',
  question: 'Welches Dokument ist es?',
  hint: 'Bitte nenne seinen Link; eine Suche nach Wörtern daraus findet ihn.',
  unfit: 'Dieses Dokument finde ich nicht. Füge den Link ein oder nenne mir den Namen.',
}

const searchFields: Readonly<Record<string, FieldWords>> = {
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

/** Everybody who gets it: the first with the number of the others, where there are copies; of many their number. */
function nameRecipients({ to, cc, bcc }: Values, show: Show): string | undefined {
  const [first = [], ...copies] = [to, cc, bcc].map((list) => (Array.isArray(list) ? list : []))
  const all = [...first, ...copies.flat()]
  if (all.length === 0) return undefined
  if (first.length > 3) return `${show.value(all.length)} Personen`
  const others = all.length - 1
  if (all.length === first.length || others === 0) return show.value(all)
  return `${show.value(all[0])} und ${others === 1 ? 'eine weitere Person' : `${others} weitere Personen`}`
}

/** Where the subject is missing the server's own words stand. */
function mail(input: Values, show: Show, words: (subject: string, to: string) => string): string | undefined {
  const subject = show.value(input.subject)
  const to = nameRecipients(input, show)
  return to === undefined ? undefined : words(subject ?? 'Ohne Betreff', to)
}

/** By its title, if the conversation has it: nobody knows a document by its id. */
function titled({ document_id: records }: Known, show: Show): string {
  const title = show.value(records?.[0]?.title)
  return title === undefined ? '' : ` ${title}`
}

const into = (known: Known, show: Show) =>
  titled(known, show) ? `im Dokument${titled(known, show)}` : 'in einem Dokument'
const of = (known: Known, show: Show) =>
  titled(known, show) ? `des Dokuments${titled(known, show)}` : 'eines Dokuments'
const it = (known: Known, show: Show) =>
  titled(known, show) ? `das Dokument${titled(known, show)}` : 'ein Dokument'

const tab = {
  title: 'Tab',
  question: 'Welcher Tab ist es?',
  hint: 'Bitte nenne seinen Titel.',
}
/** Where a document has several. */
const inTab = (name: unknown, show: Show) => {
  const shown = show.value(name)
  return shown === undefined ? '' : ` (Tab ${shown})`
}

const roles: Readonly<Record<string, string>> = {
  reader: 'lesen',
  commenter: 'kommentieren',
  writer: 'bearbeiten',
}

/** What is done with emails: asked, and done. */
const changes: Readonly<Record<string, [ask: (emails: string) => string, done: (emails: string) => string]>> =
  {
    mark_read: [(some) => `${some} als gelesen markieren`, (some) => `${some} als gelesen markiert`],
    mark_unread: [(some) => `${some} als ungelesen markieren`, (some) => `${some} als ungelesen markiert`],
    archive: [(some) => `${some} archivieren`, (some) => `${some} archiviert`],
    unarchive: [(some) => `${some} aus dem Archiv holen`, (some) => `${some} aus dem Archiv geholt`],
    star: [(some) => `${some} mit Stern markieren`, (some) => `${some} mit Stern markiert`],
    unstar: [(some) => `Stern von ${some} entfernen`, (some) => `Stern von ${some} entfernt`],
    delete: [(some) => `${some} in den Papierkorb legen`, (some) => `${some} in den Papierkorb gelegt`],
    delete_forever: [(some) => `${some} endgültig löschen`, (some) => `${some} endgültig gelöscht`],
  }

/** What is known of emails: `„Rechnung“ von „eve@example.com“`. */
function nameEmails({ message_ids: ids }: Values, { message_ids: records = [] }: Known, show: Show): string {
  const named = records.flatMap(({ subject, from }) => {
    const text = show.value(subject)
    const by = show.value(from)
    return text === undefined ? [] : [by === undefined ? text : `${text} von ${by}`]
  })
  const rest = Array.isArray(ids) ? ids.length - named.length : 0
  if (named.length === 0) return ''
  return `: ${named.join(', ')}${rest > 0 ? ` und ${rest} weitere` : ''}`
}

const labelNames = { create: 'anlegen', list: 'auflisten', apply: 'vergeben', remove: 'entfernen' }

/** What is done with labels: asked, and done. */
function manageLabel(input: Values, show: Show): [ask: string, done: string] | undefined {
  const name = show.value(input.label_name)
  const label = name === undefined ? 'Label' : `Label ${name}`
  const some = show.count(input.message_ids, 'E-Mail', 'E-Mails') ?? '–'
  switch (input.action) {
    case 'create':
      return [`Das ${label} anlegen?`, `${label} angelegt`]
    case 'list':
      return ['Die Labels auflisten?', 'Labels aufgelistet']
    case 'apply':
      return [`${some} mit dem ${label} versehen?`, `${some} mit dem ${label} versehen`]
    case 'remove':
      return [`Das ${label} von ${some} entfernen?`, `${label} von ${some} entfernt`]
    default:
      return undefined
  }
}

/** Our own tools, in German. */
export const germanTools: Tools = {
  smtp_send_email: {
    title: 'E-Mail senden',
    fields: emailFields,
    button: () => 'Senden',
    confirm: (input, show) => mail(input, show, (subject, to) => `${subject} an ${to} senden?`),
    summary: (input, _, show) => mail(input, show, (subject, to) => `${subject} an ${to} gesendet`),
  },
  smtp_test_connection: {
    title: 'Mailkonto testen',
    fields: {},
    summary: () => 'Das Mailkonto funktioniert',
  },

  gmail_send_email: {
    title: 'E-Mail mit Gmail senden',
    fields: mailboxFields,
    button: () => 'Senden',
    confirm: (input, show) => mail(input, show, (subject, to) => `${subject} an ${to} senden?`),
    summary: (input, _, show) => mail(input, show, (subject, to) => `${subject} an ${to} gesendet`),
  },
  gmail_create_draft: {
    title: 'Entwurf in Gmail speichern',
    fields: mailboxFields,
    button: () => 'Speichern',
    confirm: (input, show) =>
      mail(input, show, (subject, to) => `${subject} an ${to} als Entwurf speichern?`),
    summary: (input, _, show) =>
      mail(input, show, (subject, to) => `${subject} an ${to} als Entwurf gespeichert`),
  },
  gmail_search_emails: {
    title: 'Gmail durchsuchen',
    fields: { query: emailQuery, ...paging },
    summary: (input, output, show) => {
      const found = show.count(output.messages, 'E-Mail', 'E-Mails')
      return found && `In Gmail nach ${show.value(input.query) ?? '–'} gesucht: ${found}`
    },
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
    summary: (_, output, show) => {
      const read = show.count(output.messages, 'E-Mail', 'E-Mails')
      return read && `${read} gelesen`
    },
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
    button: ({ action, message_ids: ids }) =>
      Array.isArray(ids)
        ? changes[String(action)]?.[0](`${ids.length} ${ids.length === 1 ? 'E-Mail' : 'E-Mails'}`)
        : undefined,
    confirm: (input, show, known) => {
      const how = changes[String(input.action)]
      const which = show.count(input.message_ids, 'E-Mail', 'E-Mails')
      return how && which && `${how[0](which)}${nameEmails(input, known, show)}?`
    },
    summary: (input, output, show) => {
      const how = changes[String(input.action)]
      const which = show.count(output.results, 'E-Mail', 'E-Mails')
      return how && which && how[1](which)
    },
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
    button: ({ action }) => {
      const verb = labelNames[action as keyof typeof labelNames]
      return verb && (action === 'list' ? `Labels ${verb}` : `Label ${verb}`)
    },
    confirm: (input, show) => manageLabel(input, show)?.[0],
    summary: (input, _, show) => manageLabel(input, show)?.[1],
  },

  web_search: {
    title: 'Im Web suchen',
    fields: searchFields,
    button: () => 'Suchen',
    confirm: ({ query }, show) => `Im Web nach ${show.value(query) ?? '–'} suchen?`,
    summary: ({ query }, { results }, show) => {
      const found = show.count(results, 'Treffer', 'Treffer')
      return found && `Im Web nach ${show.value(query) ?? '–'} gesucht: ${found}`
    },
  },
  news_search: {
    title: 'News suchen',
    fields: searchFields,
    button: () => 'Suchen',
    confirm: ({ query }, show) => `In den News nach ${show.value(query) ?? '–'} suchen?`,
    summary: ({ query }, { results }, show) => {
      const found = show.count(results, 'Treffer', 'Treffer')
      return found && `In den News nach ${show.value(query) ?? '–'} gesucht: ${found}`
    },
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
    button: ({ urls }) =>
      Array.isArray(urls) ? `${urls.length} ${urls.length === 1 ? 'Seite' : 'Seiten'} lesen` : undefined,
    confirm: ({ urls }, show) => `${show.value(urls) ?? '–'} lesen?`,
    summary: ({ urls }, _, show) => `${show.value(urls) ?? '–'} gelesen`,
  },

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
    button: () => 'Anlegen',
    confirm: ({ title }, show) => `Das Dokument ${show.value(title) ?? '–'} anlegen?`,
    summary: (input, output, show) => {
      const title = show.value(output.title ?? input.title)
      return title && `Dokument ${title} angelegt`
    },
  },
  docs_read_document: {
    title: 'Dokument lesen',
    fields: { document_id: documentId, tab, from: { title: 'Erstes Zeichen' } },
    summary: (_, { title }, show) => {
      const shown = show.value(title)
      return shown && `Dokument ${shown} gelesen`
    },
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
    button: () => 'Ergänzen',
    confirm: ({ text, tab }, show, known) =>
      `${show.value(text) ?? '–'} ${into(known, show)}${inTab(tab, show)} ergänzen?`,
    summary: ({ text }, { tab }, show, known) =>
      `${show.value(text) ?? '–'} ${into(known, show)}${inTab(tab, show)} ergänzt`,
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
    button: () => 'Ersetzen',
    confirm: ({ tab }, show, known) => `Wörter ${into(known, show)}${inTab(tab, show)} ersetzen?`,
    summary: ({ find, replace }, { tab }, show, known) =>
      `${capital(into(known, show))}${inTab(tab, show)} ${show.value(find) ?? '–'} durch ${show.value(replace) ?? 'nichts'} ersetzt`,
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
    button: () => 'Wiederherstellen',
    confirm: (_, show, known) => `Frühere Version ${of(known, show)} wiederherstellen?`,
    summary: (_, __, show, known) => `Frühere Version ${of(known, show)} wiederhergestellt`,
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
    summary: ({ query }, { documents }, show) => {
      const found = show.count(documents, 'Dokument', 'Dokumente')
      return found && `In den Dokumenten nach ${show.value(query) ?? '–'} gesucht: ${found}`
    },
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
    button: () => 'Teilen',
    confirm: ({ emails: people, role }, show, known) => {
      const who = show.some(people, 'Personen')
      const may = roles[String(role)]
      return who && may && `${capital(it(known, show))} mit ${who} teilen (Recht: ${may})?`
    },
    summary: ({ emails: people, role }, _, show, known) => {
      const who = show.some(people, 'Personen')
      const may = roles[String(role)]
      return who && may && `${capital(it(known, show))} mit ${who} geteilt (Recht: ${may})`
    },
  },
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const apiKey = (name: string, hint: string): Readonly<Record<string, FieldWords>> => ({
  api_key: { title: 'API-Schlüssel', question: `Wie lautet dein API-Schlüssel von ${name}?`, hint },
})
const model = (name: string, start: string) => ({
  description: `Antwortet mit Modellen von ${name}, bezahlt mit deinem eigenen Schlüssel.`,
  purpose: `mit Modellen von ${name} zu antworten`,
  fields: apiKey(name, `Der Schlüssel selbst; meist beginnt er mit ${start}.`),
})

/** What can be connected, in German. */
export const germanProviders: Providers = {
  gmail: {
    description: 'Sendet, entwirft, findet, liest und sortiert die Mails eines Google-Kontos.',
    purpose: 'mit deinen Mails zu arbeiten',
    fields: { access_token: { title: 'Zugriffstoken' }, refresh_token: { title: 'Erneuerungstoken' } },
  },
  smtp: {
    description: 'Sendet E-Mails über jeden Mailserver, auf dem du ein Konto hast.',
    purpose: 'E-Mails zu senden',
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
  'google-docs': {
    description:
      'Erstellt, liest und ändert Dokumente in deinem Google Drive, aber nur solche, die hier entstanden sind.',
    purpose: 'mit deinen Google-Dokumenten zu arbeiten',
    fields: {},
  },
  'askback-docs': {
    description: 'Dokumente, die hier liegen, nur für dich. Es muss nichts verbunden werden.',
    purpose: 'Dokumente aufzubewahren',
    fields: {},
  },
  openai: model('OpenAI', 'sk-'),
  anthropic: model('Anthropic', 'sk-ant-'),
  gemini: model('Gemini', 'AIza'),
  openrouter: model('OpenRouter', 'sk-or-'),
}

/** The same for every provider of a service. */
export const germanServices: Services = {
  search: (name, { engine, keysFrom }) => ({
    description: `Sucht im Web mit ${engine}. Du brauchst einen API-Schlüssel von ${keysFrom}.`,
    purpose: 'im Web zu suchen',
    fields: apiKey(name, `Kopiere ihn aus deinem Konto bei ${name}.`),
  }),
}

const google = (name: string) => `https://www.googleapis.com/auth/${name}`

/** What a sign-in has allowed, in German. */
export const germanScopes: Scopes = {
  [google('gmail.send')]: 'Mails senden, ohne welche zu sehen',
  [google('gmail.compose')]: 'Entwürfe schreiben und Mails senden, ohne Eingegangenes zu lesen',
  [google('gmail.readonly')]: 'Alle Mails lesen, ohne etwas zu ändern',
  [google('gmail.modify')]: 'Mails lesen, schreiben, senden und sortieren; nichts wird endgültig gelöscht',
  'https://mail.google.com/': 'Alles im Postfach, auch endgültig löschen',
  [google('drive.file')]:
    'Hier entstandene Dokumente anlegen, lesen, ändern und teilen; keine andere Datei sehen',
  [google('drive')]: 'Jede Datei im Drive lesen und ändern',
}
