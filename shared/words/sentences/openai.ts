/** What a client of the OpenAI protocol is told besides the words of a run, as plain text. */
export interface ClientWords {
  /** What is asked of somebody, before the place where to do it. */
  approve: string
  fillIn: string
  fillInAndApprove: string
  connect: string
  follow: string
  /** `address`: of the conversation in the app; absent if that is not known. */
  there(request: string, address: string | undefined): string
  /** The client does not learn what is decided in the app: it has to ask. Without a name, only the same chat is known. */
  thenAskNamed: string
  thenAsk: string
  sender: string
  /** What a model has corrected by itself. */
  corrected(labels: readonly string[]): string
  /** What a slow write is about, as far as it is known. */
  atWork(what: string | undefined): string
  done(what: string): string
  /** `again`: it may have been done the first time. */
  notDone(what: string, because: 'deny' | 'skip' | 'expired' | 'stop' | undefined, again: boolean): string
}

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
