/** A call as a model makes it: it greets, writes whole sentences and signs, as people expect of a letter. */
export type Call = readonly [tool: string, args: Record<string, unknown>]

/**
 * A person has had somebody written to, and asks for something more for the same person; they want it done. `question`
 * says what asking "Do this as well?" would be, decided before there was a rule: `needless` where a secretary would go
 * ahead, `right` where the message may mean just what was already done.
 */
export interface SecondMessage {
  name: string
  first: { says: string; does: Call }
  /** Between the two. */
  hours: number
  second: { says: string; does: Call }
  question: 'needless' | 'right'
  because: string
}

const mail = (to: string, subject: string, body: string): Call => [
  'smtp_send_email',
  { to: [to], subject, body },
]
const gmail = (to: string, subject: string, body: string): Call => [
  'gmail_send_email',
  { to: [to], subject, body },
]
const draft = (to: string, subject: string, body: string): Call => [
  'gmail_create_draft',
  { to: [to], subject, body },
]
const text = (phone: string, message: string): Call => ['text_customer', { phone, message }]
const append = (words: string): Call => ['docs_append_text', { document_id: 'doc-12345', text: words }]

const moved = mail(
  'amara@harbour.example',
  'Design review moved to Thursday',
  'Hi Amara,\n\nthe design review is moved to Thursday at 10.\n\nBest,\nMia',
)
const shelves = mail(
  'sato@example.jp',
  '棚の見積もりについて',
  '佐藤様\n\nお世話になっております。\n棚の見積もりを今週中にいただけますでしょうか。\n\nよろしくお願いいたします。\nミア',
)
const catalogue = mail(
  'tanaka@example.jp',
  'カタログ送付のお願い',
  '田中様\n\nお世話になっております。\n新しいカタログを一部お送りください。\n\nよろしくお願いいたします。\nミア',
)

export const secondMessages: readonly SecondMessage[] = [
  // English
  {
    name: 'another piece of news, in a sentence of its own',
    first: {
      says: 'Tell amara@harbour.example that the design review is moved to Thursday at 10.',
      does: moved,
    },
    hours: 2,
    second: {
      says: 'Also let Amara know that lunch on Friday is cancelled because Tom is ill.',
      does: mail(
        'amara@harbour.example',
        'Lunch on Friday cancelled',
        'Hi Amara,\n\nlunch on Friday is cancelled because Tom is ill.\n\nBest,\nMia',
      ),
    },
    question: 'needless',
    because: 'The message says what is new.',
  },
  {
    name: 'a code that belongs to the first mail',
    first: {
      says: 'Send ben@tideline.example the address of the new office: 12 Harbour Street, Bristol.',
      does: mail(
        'ben@tideline.example',
        'Our new office',
        'Hi Ben,\n\nhere is the address of our new office:\n\n12 Harbour Street, Bristol\n\nBest,\nMia',
      ),
    },
    hours: 0.1,
    second: {
      says: 'And the parking code, 4417B.',
      does: mail(
        'ben@tideline.example',
        'Parking code',
        'Hi Ben,\n\nthe parking code for the new office is 4417B.\n\nBest,\nMia',
      ),
    },
    question: 'needless',
    because: 'The code is new, and so is what it is for.',
  },
  {
    name: 'a subject that was typed',
    first: {
      says: 'Ask carol@example.com whether she can present on Monday.',
      does: gmail(
        'carol@example.com',
        'Presenting on Monday',
        'Hi Carol,\n\ncan you present on Monday?\n\nThanks,\nMia',
      ),
    },
    hours: 3,
    second: {
      says: 'Write to Carol that we have the big room. Subject: Room for Monday',
      does: gmail(
        'carol@example.com',
        'Room for Monday',
        'Hi Carol,\n\ngood news: the big room is ours on Monday.\n\nBest,\nMia',
      ),
    },
    question: 'needless',
    because: 'The message gives another subject.',
  },
  {
    name: 'a correction',
    first: {
      says: 'Write to Dan (dan@fenwick.example) that his contract starts on 1 April.',
      does: mail(
        'dan@fenwick.example',
        'Start of your contract',
        'Hi Dan,\n\nyour contract starts on 1 April.\n\nBest,\nMia',
      ),
    },
    hours: 0.5,
    second: {
      says: 'Sorry, that was wrong. Tell him it starts on 1 May, not on 1 April.',
      does: mail(
        'dan@fenwick.example',
        'Correction: start of your contract',
        'Hi Dan,\n\na correction to my last email: your contract starts on 1 May, not on 1 April. Sorry for the confusion.\n\nBest,\nMia',
      ),
    },
    question: 'needless',
    because: 'The message says that the first mail has to be corrected, and how.',
  },
  {
    name: 'the agenda as well',
    first: {
      says: 'Draft an agenda for the workshop, and tell eve@example.com that it is on 3 December.',
      does: mail(
        'eve@example.com',
        'Workshop on 3 December',
        'Hi Eve,\n\nthe workshop is on 3 December.\n\nBest,\nMia',
      ),
    },
    hours: 1,
    second: {
      says: 'Looks good. Send her the agenda as well.',
      does: mail(
        'eve@example.com',
        'Agenda for the workshop',
        'Hi Eve,\n\nhere is the agenda:\n\n09:00 Welcome\n09:30 Where we are\n11:00 Where we want to go\n\nBest,\nMia',
      ),
    },
    question: 'needless',
    because: 'Vague, but "as well" and "the agenda" leave no doubt that another mail is meant.',
  },
  {
    name: 'the same mail once more',
    first: {
      says: 'Send Frank (frank@example.com) the link to the survey: https://survey.example/mia',
      does: gmail(
        'frank@example.com',
        'Survey',
        'Hi Frank,\n\nhere is the link to the survey: https://survey.example/mia\n\nBest,\nMia',
      ),
    },
    hours: 4,
    second: {
      says: 'Send it to him again, he can’t find it.',
      does: gmail(
        'frank@example.com',
        'Survey',
        'Hi Frank,\n\nhere is the link to the survey again: https://survey.example/mia\n\nBest,\nMia',
      ),
    },
    question: 'right',
    because: 'It is the very same mail: who does not read English cannot tell it from a doubling.',
  },
  // German
  {
    name: 'German: the room, in a subordinate clause',
    first: {
      says: 'Schreib anna@beispiel.example, dass das Treffen am Montag um 14 Uhr ist.',
      does: mail(
        'anna@beispiel.example',
        'Treffen am Montag',
        'Hallo Anna,\n\ndas Treffen ist am Montag um 14 Uhr.\n\nViele Grüße\nMia',
      ),
    },
    hours: 1,
    second: {
      says: 'Schreib ihr noch, dass wir Raum 204 haben.',
      does: mail(
        'anna@beispiel.example',
        'Raum für Montag',
        'Hallo Anna,\n\nwir haben am Montag Raum 204.\n\nViele Grüße\nMia',
      ),
    },
    question: 'needless',
    because: 'The message says what is new; a main clause just has another order of words.',
  },
  {
    name: 'German: lines to be passed on as they are',
    first: {
      says: 'Frag jonas@beispiel.example, wann er am Samstag ankommt.',
      does: gmail(
        'jonas@beispiel.example',
        'Ankunft am Samstag',
        'Hallo Jonas,\n\nwann kommst du am Samstag an?\n\nViele Grüße\nMia',
      ),
    },
    hours: 6,
    second: {
      says: 'Diese Zeilen bitte auch noch an Jonas:\nDer Schlüssel liegt bei Frau Petersen im Erdgeschoss. Sie ist bis 18 Uhr da.',
      does: gmail(
        'jonas@beispiel.example',
        'Schlüssel',
        'Hallo Jonas,\n\nder Schlüssel liegt bei Frau Petersen im Erdgeschoss. Sie ist bis 18 Uhr da.\n\nViele Grüße\nMia',
      ),
    },
    question: 'needless',
    because: 'The text of the mail stands in the message.',
  },
  {
    name: 'German: subject and text typed',
    first: {
      says: 'Bitte schreib Herrn Weber (weber@hausverwaltung.example), dass wir die Wohnung zum 1. Februar übernehmen.',
      does: mail(
        'weber@hausverwaltung.example',
        'Übernahme der Wohnung',
        'Sehr geehrter Herr Weber,\n\nwir übernehmen die Wohnung zum 1. Februar.\n\nMit freundlichen Grüßen\nMia Brandt',
      ),
    },
    hours: 8,
    second: {
      says: 'Jetzt eine zweite Mail an ihn, Betreff „Mängel in der Küche“: Die Spülmaschine ist undicht, und die linke Schranktür klemmt.',
      does: mail(
        'weber@hausverwaltung.example',
        'Mängel in der Küche',
        'Sehr geehrter Herr Weber,\n\nin der Küche haben wir zwei Mängel festgestellt: Die Spülmaschine ist undicht, und die linke Schranktür klemmt.\n\nMit freundlichen Grüßen\nMia Brandt',
      ),
    },
    question: 'needless',
    because: 'The message asks for a second mail and gives its subject and text.',
  },
  {
    name: 'German: another text message to the same number, by a function of the application',
    first: {
      says: 'Schick Familie Kaya eine SMS an +49 151 23456789: Ihr Paket ist da.',
      does: text('+4915123456789', 'Ihr Paket ist da.'),
    },
    hours: 2,
    second: {
      says: 'Noch eine hinterher: Wir haben heute bis 19 Uhr geöffnet.',
      does: text('+4915123456789', 'Wir haben heute bis 19 Uhr geöffnet.'),
    },
    question: 'needless',
    because: 'The text of the second one stands in the message.',
  },
  {
    name: 'German: a reminder',
    first: {
      says: 'Frag lena@beispiel.example, wann sie die Zahlen für Oktober schickt.',
      does: mail(
        'lena@beispiel.example',
        'Zahlen für Oktober',
        'Hallo Lena,\n\nwann schickst du die Zahlen für Oktober?\n\nViele Grüße\nMia',
      ),
    },
    hours: 5,
    second: {
      says: 'Frag Lena nochmal nach den Zahlen.',
      does: mail(
        'lena@beispiel.example',
        'Erinnerung: Zahlen für Oktober',
        'Hallo Lena,\n\nich wollte noch einmal nach den Zahlen für Oktober fragen.\n\nViele Grüße\nMia',
      ),
    },
    question: 'right',
    because: 'The message names nothing that the first mail has not done already.',
  },
  // Spanish
  {
    name: 'Spanish: something to bring along, in the subjunctive',
    first: {
      says: 'Dile a marta@ejemplo.example que la reunión es el martes a las 9.',
      does: mail(
        'marta@ejemplo.example',
        'Reunión del martes',
        'Hola, Marta:\n\nLa reunión es el martes a las 9.\n\nUn saludo,\nMia',
      ),
    },
    hours: 0.3,
    second: {
      says: 'Dile también que traiga el contrato firmado.',
      does: mail(
        'marta@ejemplo.example',
        'Contrato firmado',
        'Hola, Marta:\n\nPor favor, trae el contrato firmado a la reunión.\n\nUn saludo,\nMia',
      ),
    },
    question: 'needless',
    because: 'The message says what is new; a request just takes another form of the verb.',
  },
  {
    name: 'Spanish: news in a clause that stays as it is',
    first: {
      says: 'Escribe a pablo@ejemplo.example que el hotel está reservado.',
      does: mail(
        'pablo@ejemplo.example',
        'Hotel reservado',
        'Hola, Pablo:\n\nEl hotel está reservado.\n\nUn saludo,\nMia',
      ),
    },
    hours: 7,
    second: {
      says: 'Escríbele a Pablo que el vuelo sale a las 7:40 de la terminal 2.',
      does: mail(
        'pablo@ejemplo.example',
        'Tu vuelo',
        'Hola, Pablo:\n\nEl vuelo sale a las 7:40 de la terminal 2.\n\n¡Buen viaje!\nMia',
      ),
    },
    question: 'needless',
    because: 'The message says what is new.',
  },
  {
    name: 'Spanish: a subject that was typed, and a request',
    first: {
      says: 'Dale las gracias a lucia@ejemplo.example por la visita de ayer.',
      does: gmail(
        'lucia@ejemplo.example',
        'Gracias por tu visita',
        'Hola, Lucía:\n\nMuchas gracias por la visita de ayer.\n\nUn saludo,\nMia',
      ),
    },
    hours: 4,
    second: {
      says: 'Envíale otro correo con el asunto «Presupuesto de octubre» y pídele las facturas que faltan.',
      does: gmail(
        'lucia@ejemplo.example',
        'Presupuesto de octubre',
        'Hola, Lucía:\n\n¿Podrías enviarme las facturas que faltan para el presupuesto de octubre?\n\nUn saludo,\nMia',
      ),
    },
    question: 'needless',
    because: 'The message asks for another mail and gives its subject.',
  },
  {
    name: 'Spanish: another draft',
    first: {
      says: 'Prepara un borrador para marta@ejemplo.example sobre las vacaciones de agosto.',
      does: draft(
        'marta@ejemplo.example',
        'Vacaciones de agosto',
        'Hola, Marta:\n\nMe gustaría hablar contigo sobre las vacaciones de agosto.\n\nUn saludo,\nMia',
      ),
    },
    hours: 1,
    second: {
      says: 'Y otro más corto, para comparar.',
      does: draft(
        'marta@ejemplo.example',
        'Vacaciones de agosto',
        'Hola, Marta:\n\n¿Hablamos de las vacaciones de agosto?\n\nMia',
      ),
    },
    question: 'needless',
    because: 'Drafts are made to be compared, and nobody receives them.',
  },
  // Japanese
  {
    name: 'Japanese: another piece of news, in a sentence of its own',
    first: {
      says: 'sato@example.jpに、棚の見積もりを今週中にくださいとメールして。',
      does: shelves,
    },
    hours: 3,
    second: {
      says: '佐藤さんに、打ち合わせの会議室は三階の会議室に変わりましたとも伝えて。',
      does: mail(
        'sato@example.jp',
        '会議室変更のお知らせ',
        '佐藤様\n\nお世話になっております。\n打ち合わせの会議室は三階の会議室に変わりました。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    question: 'needless',
    because: 'The message says what is new.',
  },
  {
    name: 'Japanese: news that the mail words more politely',
    first: {
      says: 'tanaka@example.jpに、新しいカタログを一部送ってほしいとメールして。',
      does: catalogue,
    },
    hours: 0.5,
    second: {
      says: 'こちらの住所は来週送ると、それも書いて。',
      does: mail(
        'tanaka@example.jp',
        '送付先住所について',
        '田中様\n\nお世話になっております。\n送付先の住所は、来週お送りいたします。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    question: 'needless',
    because: 'The message says what is new; a letter is just more polite than a remark.',
  },
  {
    name: 'Japanese: a subject that was typed, and an amount',
    first: {
      says: 'yamada@example.jpに、納品は金曜日だと連絡して。',
      does: gmail(
        'yamada@example.jp',
        '納品日のご連絡',
        '山田様\n\nお世話になっております。\n納品は金曜日となります。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    hours: 2,
    second: {
      says: '山田さんにもう一通、件名は「追加費用の件」。合計金額は税込みで48万円です。',
      does: gmail(
        'yamada@example.jp',
        '追加費用の件',
        '山田様\n\nお世話になっております。\n追加費用についてご連絡いたします。合計金額は税込みで48万円です。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    question: 'needless',
    because: 'The message asks for another mail and gives its subject.',
  },
  {
    name: 'Japanese: another line of the minutes',
    first: {
      says: '議事録に「予算は承認された」と追加して。',
      does: append('予算は承認された'),
    },
    hours: 0.2,
    second: {
      says: '「次回は十二月十日」も追加して。',
      does: append('次回は十二月十日'),
    },
    question: 'needless',
    because: 'Minutes get one line after another.',
  },
  {
    name: 'Japanese: the same mail once more',
    first: {
      says: 'suzuki@example.jpに、請求書を送ってくださいとメールして。',
      does: mail(
        'suzuki@example.jp',
        '請求書送付のお願い',
        '鈴木様\n\nお世話になっております。\n請求書を送ってください。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    hours: 9,
    second: {
      says: '返事がないので、もう一度送って。',
      does: mail(
        'suzuki@example.jp',
        '【再送】請求書送付のお願い',
        '鈴木様\n\nお世話になっております。\n先ほどのご連絡の再送です。請求書を送ってください。\n\nよろしくお願いいたします。\nミア',
      ),
    },
    question: 'right',
    because: 'It is the same mail: who does not read Japanese cannot tell it from a doubling.',
  },
]
