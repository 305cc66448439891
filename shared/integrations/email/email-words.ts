import type { FieldWords } from '../../words/tool-words.ts'

/** The parameters of every email, by language. Where the question and the title say it all, there is no hint. */
export const emailWords = {
  de: {
    to: {
      title: 'E-Mail-Adresse des Empfängers',
      short: 'An',
      question: 'An wen soll ich diese E-Mail senden?',
      hint: '',
    },
    cc: {
      title: 'Cc',
      question: 'Wer soll eine Kopie dieser E-Mail bekommen?',
      hint: '',
    },
    bcc: {
      title: 'Bcc',
      question: 'Wer soll eine Blindkopie dieser E-Mail bekommen?',
      hint: '',
    },
    reply_to: {
      title: 'Adresse für Antworten',
      short: 'Antwort an',
      question: 'An welche Adresse sollen Antworten gehen?',
      hint: '',
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
  },
} satisfies Record<string, Record<string, FieldWords>>

/** The same of an email that is sent from a mailbox, with its own files and as an answer. */
export const mailboxEmailWords = {
  de: {
    ...emailWords.de,
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
  },
} satisfies Record<string, Record<string, FieldWords>>

/** What it is about, and everybody who gets it. */
const toAll =
  '[{subject}|Ohne Betreff] an {to,cc,bcc~Personen|und eine weitere Person|und # weitere Personen}'

/** What is said of an email, by language. */
export const emailSentences = {
  de: {
    send: {
      confirm: `${toAll} senden?`,
      summary: `${toAll} gesendet`,
      button: 'Senden',
      past: 'gesendet',
    },
    draft: {
      confirm: `${toAll} als Entwurf speichern?`,
      summary: `${toAll} als Entwurf gespeichert`,
      button: 'Speichern',
      past: 'gespeichert',
    },
  },
}
