import type { ClientWords } from '../language.ts'

const because = {
  en: {
    deny: 'you denied it',
    skip: 'you skipped it',
    expired: 'nobody approved it in time',
    stop: 'it was stopped',
  },
  de: {
    deny: 'von dir abgelehnt',
    skip: 'von dir übersprungen',
    expired: 'nicht rechtzeitig freigegeben',
    stop: 'vorher gestoppt',
  },
}

export const openai = {
  en: {
    approve: 'Approve or deny it',
    fillIn: 'Type the answer in this chat, or give it',
    fillInAndApprove: 'Fill in what is missing and approve it, or deny it,',
    connect: 'Connect it',
    follow: 'It continues by itself. Follow it',
    there: (request, address) => `${request} ${address === undefined ? 'in the app.' : `here: ${address}`}`,
    thenAskNamed: 'Then send any message or regenerate this answer.',
    thenAsk: 'Then regenerate this answer.',
    sender: 'From',
    corrected: (labels) => `Corrected: ${labels.join(', ')}.`,
    atWork: (what) => (what === undefined ? 'Still at work …' : `Still at work: ${what} …`),
    done: (what) => `Done: ${what}`,
    notDone: (what, why, again) =>
      why === undefined
        ? `Not done: ${what}.`
        : `Not done${again ? ' again' : ''}, because ${because.en[why]}: ${what}.`,
  },
  de: {
    approve: 'Gib es frei oder lehn es ab',
    fillIn: 'Schreib die Antwort in diesen Chat, oder gib sie',
    fillInAndApprove: 'Füll aus, was fehlt, und gib es frei, oder lehn es ab,',
    connect: 'Verbinde es',
    follow: 'Es geht von selbst weiter. Verfolge es',
    there: (request, address) => `${request} ${address === undefined ? 'in der App.' : `hier: ${address}`}`,
    thenAskNamed: 'Schick danach irgendeine Nachricht, oder lass diese Antwort neu erzeugen.',
    thenAsk: 'Lass danach diese Antwort neu erzeugen.',
    sender: 'Von',
    corrected: (labels) => `Korrigiert: ${labels.join(', ')}.`,
    atWork: (what) => (what === undefined ? 'Noch in Arbeit …' : `Noch in Arbeit: ${what} …`),
    done: (what) => `Erledigt: ${what}`,
    notDone: (what, why, again) =>
      `Nicht ${again ? 'noch einmal ' : ''}erledigt${why === undefined ? '' : `, ${because.de[why]}`}: ${what}.`,
  },
} satisfies Record<'en' | 'de', ClientWords>
