import type { OwnWords } from '../own-words.ts'

const email = {
  fields: {
    subject: { hint: 'Bitte nennen Sie den Betreff in einer Zeile.' },
    body: { hint: 'Bitte schreiben Sie den Text der Nachricht.' },
    from: {
      question: 'Von welchem Ihrer Konten soll diese E-Mail kommen?',
      hint: 'Bitte nennen Sie die E-Mail-Adresse des Kontos.',
    },
    'attachments.file_id': {
      title: 'Ihre Datei',
      question: 'Welche Ihrer Dateien soll ich anhängen?',
      hint: 'Bitte nennen Sie sie so, wie sie in der Unterhaltung heißt.',
    },
    'attachments.filename': { hint: 'Bitte nennen Sie einen Dateinamen.' },
    'attachments.content': {
      hint: 'Bitte geben Sie den Inhalt als Text an, bei anderen Dateien in Base64.',
    },
  },
}

const mailboxEmail = {
  fields: {
    ...email.fields,
    'attachments.message_id': { hint: 'Bitte nennen Sie die ID der E-Mail.' },
    'attachments.attachment_id': { hint: 'Bitte nennen Sie die ID der Datei.' },
    reply_to_message_id: { hint: 'Bitte nennen Sie ihre ID.' },
  },
}

const mailQuery = { hint: 'Sagen Sie, von wem sie sind, worum es geht oder wann sie kamen.' }
const emails = { hint: 'Bitte nennen Sie ihre IDs; eine Suche findet sie.' }

const search = {
  fields: {
    query: { hint: 'Bitte nennen Sie die Suchwörter.' },
    num_results: { hint: 'Bitte nennen Sie eine ganze Zahl von 1 bis 20.' },
    country: { hint: 'Bitte nennen Sie sein Kürzel aus zwei Buchstaben.' },
    language: { hint: 'Bitte nennen Sie ihr Kürzel aus zwei Buchstaben.' },
    time_range: { hint: 'Bitte wählen Sie.' },
  },
}

const documentId = {
  hint: 'Bitte nennen Sie seinen Link; eine Suche nach Wörtern daraus findet ihn.',
  unfit: 'Dieses Dokument finde ich nicht. Fügen Sie den Link ein oder nennen Sie mir den Namen.',
}
const tab = { hint: 'Bitte nennen Sie seinen Titel.' }

/** What tools ask of people who are called "Sie". */
export const formalTools: OwnWords['tools'] = {
  smtp_send_email: email,
  gmail_send_email: mailboxEmail,
  gmail_create_draft: mailboxEmail,
  gmail_search_emails: { fields: { query: mailQuery } },
  gmail_read_emails: { fields: { message_ids: emails, query: mailQuery } },
  gmail_email_actions: { fields: { message_ids: emails } },
  gmail_manage_labels: {
    fields: { label_name: { hint: 'Bitte nennen Sie seinen Namen.' }, message_ids: emails },
  },
  web_search: search,
  news_search: search,
  scrape_and_summarize: {
    fields: {
      urls: { hint: 'Bitte nennen Sie ihre Adressen, jede beginnt mit https://.' },
      focus_keywords: { hint: 'Bitte nennen Sie ein paar Wörter.' },
      summary_length: { hint: 'Bitte wählen Sie.' },
    },
  },
  docs_create_document: { fields: { title: { hint: 'Bitte nennen Sie einen Titel.' } } },
  docs_read_document: { fields: { document_id: documentId, tab } },
  docs_append_text: {
    fields: { document_id: documentId, tab, text: { hint: 'Bitte nennen Sie den Text.' } },
  },
  docs_replace_text: {
    fields: {
      document_id: documentId,
      tab,
      find: { hint: 'Bitte nennen Sie ihn genau so, wie er im Dokument steht.' },
      replace: { hint: 'Bitte nennen Sie den neuen Text.' },
    },
  },
  docs_restore_version: {
    fields: { document_id: documentId, revision: { hint: 'Bitte nennen Sie ihre Nummer.' } },
  },
  docs_search: { fields: { query: { hint: 'Bitte nennen Sie Wörter aus dem Titel oder dem Text.' } } },
  docs_share: {
    fields: {
      document_id: documentId,
      emails: { hint: 'Bitte nennen Sie die E-Mail-Adressen.' },
      role: { hint: 'Bitte wählen Sie.' },
    },
  },
  schedules_create: {
    fields: {
      message: { hint: 'Bitte sagen Sie es wie in einem Chat.' },
      cron: {
        hint: 'Bitte nennen Sie einen Cron-Ausdruck aus fünf Teilen, etwa 0 9 * * 1-5 für neun Uhr an Werktagen.',
      },
      time_zone: { hint: 'Bitte nennen Sie ihren Namen, etwa Europe/Berlin.' },
      until: { hint: 'Bitte nennen Sie ein Datum mit Uhrzeit.' },
    },
  },
  schedules_delete: { fields: { schedule_id: { hint: 'Bitte sagen Sie, was er tut.' } } },
}

const paidModel = (name: string) => ({
  description: `Antwortet mit Modellen von ${name}, bezahlt mit Ihrem eigenen Schlüssel.`,
  fields: { api_key: { question: `Wie lautet Ihr API-Schlüssel von ${name}?` } },
})

const searchKey = (name: string, description: string) => ({
  description,
  fields: {
    api_key: {
      question: `Wie lautet Ihr API-Schlüssel von ${name}?`,
      hint: `Kopieren Sie ihn aus Ihrem Konto bei ${name}.`,
    },
  },
})

/** What is said of what can be connected, to people who are called "Sie". */
export const formalProviders: OwnWords['providers'] = {
  gmail: { purpose: 'mit Ihren Mails zu arbeiten' },
  smtp: {
    description: 'Sendet E-Mails über jeden Mailserver, auf dem Sie ein Konto haben.',
    fields: {
      host: {
        question: 'Welcher Server verschickt Ihre Mails?',
        hint: 'Bitte nennen Sie seinen Namen; bei Adressen der üblichen Anbieter ist er bekannt.',
      },
      user: {
        question: 'Mit welchem Benutzernamen melden Sie sich beim Mailserver an?',
        hint: 'Oft ist es Ihre E-Mail-Adresse.',
      },
      password: {
        question: 'Wie lautet das Passwort Ihres Mailkontos?',
        hint: 'Das Passwort oder ein App-Passwort, wenn Ihr Anbieter das kennt.',
      },
      from: { question: 'Von welcher Adresse sollen Ihre Mails kommen?' },
    },
  },
  'google-docs': {
    description:
      'Erstellt, liest und ändert Dokumente in Ihrem Google Drive, aber nur solche, die hier entstanden sind.',
    purpose: 'mit Ihren Google-Dokumenten zu arbeiten',
  },
  'askback-docs': {
    description: 'Dokumente, die hier liegen, nur für Sie. Es muss nichts verbunden werden.',
  },
  openai: paidModel('OpenAI'),
  anthropic: paidModel('Anthropic'),
  gemini: paidModel('Gemini'),
  openrouter: paidModel('OpenRouter'),
  serper: searchKey('Serper', 'Sucht im Web mit Google. Sie brauchen einen API-Schlüssel von serper.dev.'),
  serpapi: searchKey('SerpAPI', 'Sucht im Web mit Google. Sie brauchen einen API-Schlüssel von serpapi.com.'),
  brave: searchKey(
    'Brave',
    'Sucht im Web mit Brave. Sie brauchen einen API-Schlüssel von api.search.brave.com.',
  ),
}
