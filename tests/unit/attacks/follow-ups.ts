/** A call as a model makes it; what it leaves out, the person has not said. */
type Call = readonly [tool: string, args: Record<string, unknown>]

/**
 * Cards wait for a person, one for each call of `open`, and the person writes again. `continues` says what somebody who
 * looks over their shoulder would expect, decided before there was a rule: the number of the card that the new one takes
 * the place of, or `none` if all of them stay.
 */
export interface FollowUp {
  name: string
  /** What a search for mails has found before. */
  found?: readonly object[]
  open: readonly { says: string; does: Call }[]
  says: string
  does: Call
  continues: number | 'none'
  because: string
}

const mail = (to: string, subject: string, body: string, more: object = {}): Call => [
  'smtp_send_email',
  { to: [to], subject, body, ...more },
]
const answer = (id: string, to: string, subject: string, body: string): Call => [
  'gmail_send_email',
  { to: [to], subject, body, reply_to_message_id: id },
]
const append = (document_id: string, text: string): Call => ['docs_append_text', { document_id, text }]
const share = (document_id: string, email: string, role: string): Call => [
  'docs_share',
  { document_id, emails: [email], role },
]
const text = (phone: string, message: string): Call => ['text_customer', { phone, message }]

const invoice = {
  says: 'Send invoice 17 to ada@harbour.example, please.',
  does: mail(
    'ada@harbour.example',
    'Invoice 17',
    'Hi Ada,\n\nplease find invoice 17 below: 480 euros for the shelves.\n\nBest,\nMia',
  ),
}
const meeting = {
  says: 'Tell ben@tideline.example that we meet on Monday at 10 in the big room.',
  does: mail(
    'ben@tideline.example',
    'Meeting on Monday',
    'Hi Ben,\n\nwe meet on Monday at 10 in the big room.\n\nBest,\nMia',
  ),
}
const termin = {
  says: 'Schreib an jonas@werft.example, dass der Termin am Dienstag um 14 Uhr ist.',
  does: mail(
    'jonas@werft.example',
    'Termin am Dienstag',
    'Hallo Jonas,\n\nder Termin ist am Dienstag um 14 Uhr.\n\nViele Grüße\nMia',
  ),
}
const pedido = {
  says: 'Escribe a lucia@puerto.example que el pedido 204 sale mañana.',
  does: mail(
    'lucia@puerto.example',
    'Pedido 204',
    'Hola, Lucía:\n\nel pedido 204 sale mañana.\n\nSaludos,\nMia',
  ),
}
const shelves = {
  says: 'sato@tana.example に棚の見積もりをお願いするメールを送って。',
  does: mail(
    'sato@tana.example',
    '棚の見積もりのお願い',
    '佐藤様\n\nお世話になっております。\n棚の見積もりを今週中にいただけますでしょうか。\n\nミア',
  ),
}
const milk = { says: 'Add milk to the shopping list.', does: append('shopping-1', '- Milk') }
const plan = {
  says: 'Share the plan with ada@harbour.example, to read it.',
  does: share('plan-2026-a', 'ada@harbour.example', 'reader'),
}

export const followUps: readonly FollowUp[] = [
  // English
  {
    name: 'a second mail to the same person',
    open: [invoice],
    says: 'Also send her a second mail: lunch on Friday?',
    does: mail('ada@harbour.example', 'Lunch on Friday?', 'Hi Ada,\n\nlunch on Friday?\n\nBest,\nMia'),
    continues: 'none',
    because: 'The message says that it is a second one.',
  },
  {
    name: 'another time for the same meeting',
    open: [meeting],
    says: 'No, at eleven.',
    does: mail(
      'ben@tideline.example',
      'Meeting on Monday',
      'Hi Ben,\n\nwe meet on Monday at 11 in the big room.\n\nBest,\nMia',
    ),
    continues: 0,
    because: 'It corrects the hour.',
  },
  {
    name: 'the same mail to somebody else',
    open: [meeting],
    says: 'No, to Carla: carla@tideline.example.',
    does: mail(
      'carla@tideline.example',
      'Meeting on Monday',
      'Hi Ben,\n\nwe meet on Monday at 10 in the big room.\n\nBest,\nMia',
    ),
    continues: 0,
    because: 'It corrects the person.',
  },
  {
    name: 'another mail to another person',
    open: [invoice],
    says: 'And tell ben@tideline.example that the shelves arrive on Thursday.',
    does: mail(
      'ben@tideline.example',
      'The shelves arrive on Thursday',
      'Hi Ben,\n\nthe shelves arrive on Thursday.\n\nBest,\nMia',
    ),
    continues: 'none',
    because: 'It is another mail to another person.',
  },
  {
    name: 'a copy for somebody',
    open: [invoice],
    says: 'Copy office@harbour.example.',
    does: mail(
      'ada@harbour.example',
      'Invoice 17',
      'Hi Ada,\n\nplease find invoice 17 below: 480 euros for the shelves.\n\nBest,\nMia',
      { cc: ['office@harbour.example'] },
    ),
    continues: 0,
    because: 'It is the same mail, with a copy.',
  },
  {
    name: 'another matter in place of the first',
    open: [meeting],
    says: 'On second thought, only ask him whether he is free on Monday.',
    does: mail(
      'ben@tideline.example',
      'Are you free on Monday?',
      'Hi Ben,\n\nare you free on Monday?\n\nBest,\nMia',
    ),
    continues: 0,
    because: 'The person gives up the first mail.',
  },
  {
    name: 'a second answer to the same email',
    found: [{ id: 'm-100', from: 'ada@harbour.example', subject: 'Oak or pine?', date: '2026-11-20' }],
    open: [
      {
        says: 'Answer the mail m-100 of ada@harbour.example: yes, we take the oak.',
        does: answer(
          'm-100',
          'ada@harbour.example',
          'Re: Oak or pine?',
          'Hi Ada,\n\nyes, we take the oak.\n\nMia',
        ),
      },
    ],
    says: 'Send her another one about the price: is it with tax?',
    does: answer(
      'm-100',
      'ada@harbour.example',
      'Re: Oak or pine?',
      'Hi Ada,\n\nis the price with tax?\n\nMia',
    ),
    continues: 'none',
    because: 'Both answers are wanted.',
  },
  {
    name: 'one more thing on the list',
    open: [milk],
    says: 'And add bread to the list.',
    does: append('shopping-1', '- Bread'),
    continues: 'none',
    because: 'Milk is still wanted.',
  },
  {
    name: 'the same line into another document',
    open: [milk],
    says: 'No, into the list for Sunday.',
    does: append('sunday-list-1', '- Milk'),
    continues: 0,
    because: 'It corrects the document.',
  },
  {
    name: 'the same document for somebody else, too',
    open: [plan],
    says: 'Share it with ben@tideline.example as well.',
    does: share('plan-2026-a', 'ben@tideline.example', 'reader'),
    continues: 'none',
    because: 'Both should get it.',
  },
  {
    name: 'more rights for the same person',
    open: [plan],
    says: 'No, she has to be able to change it.',
    does: share('plan-2026-a', 'ada@harbour.example', 'writer'),
    continues: 0,
    because: 'It corrects what she may do.',
  },
  {
    name: 'a correction of one of two open mails',
    open: [invoice, meeting],
    says: 'Write that the shelves are 490 euros.',
    does: mail(
      'ada@harbour.example',
      'Invoice 17',
      'Hi Ada,\n\nplease find invoice 17 below: 490 euros for the shelves.\n\nBest,\nMia',
    ),
    continues: 0,
    because: 'Only the invoice has a price.',
  },

  // German
  {
    name: 'German: a second mail to the same person',
    open: [termin],
    says: 'Schick ihm noch eine zweite Mail: Bringt er die Pläne mit?',
    does: mail(
      'jonas@werft.example',
      'Pläne',
      'Hallo Jonas,\n\nbringst du die Pläne mit?\n\nViele Grüße\nMia',
    ),
    continues: 'none',
    because: 'The message says that it is a second one.',
  },
  {
    name: 'German: another subject',
    open: [termin],
    says: 'Nimm als Betreff „Dienstag, 14 Uhr“.',
    does: mail(
      'jonas@werft.example',
      'Dienstag, 14 Uhr',
      'Hallo Jonas,\n\nder Termin ist am Dienstag um 14 Uhr.\n\nViele Grüße\nMia',
    ),
    continues: 0,
    because: 'It corrects the subject.',
  },
  {
    name: 'German: the missing address',
    open: [
      {
        says: 'Schreib Jonas, dass der Kran da ist.',
        does: [
          'smtp_send_email',
          { subject: 'Der Kran ist da', body: 'Hallo Jonas,\n\nder Kran ist da.\n\nMia' },
        ],
      },
    ],
    says: 'An jonas@werft.example.',
    does: mail('jonas@werft.example', 'Der Kran ist da', 'Hallo Jonas,\n\nder Kran ist da.\n\nMia'),
    continues: 0,
    because: 'It is the answer to the form.',
  },
  {
    name: 'German: another mail while an address is missing',
    open: [
      {
        says: 'Schreib Jonas, dass der Kran da ist.',
        does: [
          'smtp_send_email',
          { subject: 'Der Kran ist da', body: 'Hallo Jonas,\n\nder Kran ist da.\n\nMia' },
        ],
      },
    ],
    says: 'Und schreib an petra@werft.example, dass die Farbe fehlt.',
    does: mail('petra@werft.example', 'Farbe fehlt', 'Hallo Petra,\n\ndie Farbe fehlt noch.\n\nMia'),
    continues: 'none',
    because: 'Jonas is still waiting for an address.',
  },
  {
    name: 'German: another line for the same log',
    open: [{ says: 'Trag ins Logbuch ein: Kran geprüft.', does: append('logbuch-2026', 'Kran geprüft.') }],
    says: 'Und noch: Farbe bestellt.',
    does: append('logbuch-2026', 'Farbe bestellt.'),
    continues: 'none',
    because: 'Both lines are wanted.',
  },
  {
    name: 'German: other words for the same line',
    open: [{ says: 'Trag ins Logbuch ein: Kran geprüft.', does: append('logbuch-2026', 'Kran geprüft.') }],
    says: 'Nein, schreib: Kran am Montag geprüft.',
    does: append('logbuch-2026', 'Kran am Montag geprüft.'),
    continues: 0,
    because: 'It corrects the line.',
  },
  {
    name: 'German: another document for the same person',
    open: [
      {
        says: 'Teile den Plan mit jonas@werft.example, zum Lesen.',
        does: share('plan-werft-1', 'jonas@werft.example', 'reader'),
      },
    ],
    says: 'Er braucht auch die Kostenliste.',
    does: share('kosten-werft-1', 'jonas@werft.example', 'reader'),
    continues: 'none',
    because: 'He should get both.',
  },

  // Spanish
  {
    name: 'Spanish: one more message to the same customer',
    open: [
      {
        says: 'Manda un SMS al +34 600 111 222: su mesa está lista.',
        does: text('+34 600 111 222', 'Su mesa está lista.'),
      },
    ],
    says: 'Y otro: el aparcamiento es gratis.',
    does: text('+34 600 111 222', 'El aparcamiento es gratis.'),
    continues: 'none',
    because: 'The message asks for another one.',
  },
  {
    name: 'Spanish: another day for the same order',
    open: [pedido],
    says: 'No, sale el jueves.',
    does: mail(
      'lucia@puerto.example',
      'Pedido 204',
      'Hola, Lucía:\n\nel pedido 204 sale el jueves.\n\nSaludos,\nMia',
    ),
    continues: 0,
    because: 'It corrects the day.',
  },
  {
    name: 'Spanish: another order of the same customer',
    open: [pedido],
    says: 'Escríbele también que el pedido 209 se retrasa.',
    does: mail(
      'lucia@puerto.example',
      'Pedido 209',
      'Hola, Lucía:\n\nel pedido 209 se retrasa.\n\nSaludos,\nMia',
    ),
    continues: 'none',
    because: 'It is about another order.',
  },
  {
    name: 'Spanish: the same to another address of hers',
    open: [pedido],
    says: 'No, a su otra dirección: lucia.mar@puerto.example.',
    does: mail(
      'lucia.mar@puerto.example',
      'Pedido 204',
      'Hola, Lucía:\n\nel pedido 204 sale mañana.\n\nSaludos,\nMia',
    ),
    continues: 0,
    because: 'It corrects the address.',
  },
  {
    name: 'Spanish: somebody else instead',
    open: [
      {
        says: 'Comparte el presupuesto con lucia@puerto.example para leerlo.',
        does: share('presupuesto-1', 'lucia@puerto.example', 'reader'),
      },
    ],
    says: 'No, con marcos@puerto.example.',
    does: share('presupuesto-1', 'marcos@puerto.example', 'reader'),
    continues: 0,
    because: 'It corrects the person.',
  },
  {
    name: 'Spanish: one more thing for the notes',
    open: [
      { says: 'Apunta en las notas: llamar al puerto.', does: append('notas-2026', 'Llamar al puerto.') },
      { says: 'Y: pagar el amarre.', does: append('notas-2026', 'Pagar el amarre.') },
    ],
    says: 'Y también: revisar el motor.',
    does: append('notas-2026', 'Revisar el motor.'),
    continues: 'none',
    because: 'All three are wanted.',
  },

  // Japanese
  {
    name: 'Japanese: a second mail to the same person',
    open: [shelves],
    says: '佐藤さんにもう一通、カタログもお願いして。',
    does: mail(
      'sato@tana.example',
      'カタログ送付のお願い',
      '佐藤様\n\nお世話になっております。\n新しいカタログもお送りいただけますか。\n\nミア',
    ),
    continues: 'none',
    because: 'The message says that it is one more.',
  },
  {
    name: 'Japanese: another deadline',
    open: [shelves],
    says: 'いや、来週中でいい。',
    does: mail(
      'sato@tana.example',
      '棚の見積もりのお願い',
      '佐藤様\n\nお世話になっております。\n棚の見積もりを来週中にいただけますでしょうか。\n\nミア',
    ),
    continues: 0,
    because: 'It corrects the deadline.',
  },
  {
    name: 'Japanese: the same to a colleague instead',
    open: [shelves],
    says: '違う、suzuki@tana.example に送って。',
    does: mail(
      'suzuki@tana.example',
      '棚の見積もりのお願い',
      '佐藤様\n\nお世話になっております。\n棚の見積もりを今週中にいただけますでしょうか。\n\nミア',
    ),
    continues: 0,
    because: 'It corrects the person.',
  },
  {
    name: 'Japanese: one more line for the minutes',
    open: [{ says: '議事録に追記して：次回は月曜。', does: append('gijiroku-1', '次回は月曜。') }],
    says: 'あと、会場は本社。',
    does: append('gijiroku-1', '会場は本社。'),
    continues: 'none',
    because: 'Both lines are wanted.',
  },
  {
    name: 'Japanese: the right to comment instead',
    open: [
      {
        says: '計画書を sato@tana.example に閲覧で共有して。',
        does: share('keikaku-01', 'sato@tana.example', 'reader'),
      },
    ],
    says: 'コメントもできるようにして。',
    does: share('keikaku-01', 'sato@tana.example', 'commenter'),
    continues: 0,
    because: 'It corrects what he may do.',
  },
]
