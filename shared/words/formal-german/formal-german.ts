import type { OwnWords } from '../own-words.ts'
import { type Refusals, refused } from '../refused/refused.ts'
import { formal } from '../sentences/german-address.ts'
import { formalSaid } from './sentences.ts'
import { formalProviders, formalTools } from './tools.ts'

/** German to people who are called "Sie", in place of "du". */
export const formalGerman: OwnWords<Refusals> = {
  said: formalSaid,
  inSettings: {
    connection_refused: ({ provider }) =>
      `${provider} nimmt diese Zugangsdaten nicht an. Prüfen Sie sie; viele Mailanbieter verlangen ein App-Passwort.`,
    key_refused: ({ provider }) =>
      `${provider} nimmt diesen API-Schlüssel nicht an. Kopieren Sie ihn dort noch einmal und tragen Sie ihn hier ein.`,
    sign_in_again: ({ provider }) =>
      `Ihre Anmeldung bei ${provider} ist abgelaufen oder wurde beendet. Verbinden Sie es hier neu.`,
    secret_corrupted: ({ provider }) =>
      `Was für ${provider} hinterlegt ist, lässt sich nicht mehr lesen. Tragen Sie es hier neu ein.`,
  },
  refusals: refused.de(formal),
  tools: formalTools,
  providers: formalProviders,
  openai: {
    approve: 'Geben Sie es frei oder lehnen Sie es ab',
    fillIn: 'Schreiben Sie die Antwort in diesen Chat, oder geben Sie sie',
    fillInAndApprove: 'Füllen Sie aus, was fehlt, und geben Sie es frei, oder lehnen Sie es ab,',
    connect: 'Verbinden Sie es',
    follow: 'Es geht von selbst weiter. Verfolgen Sie es',
    thenAskNamed: 'Schicken Sie danach irgendeine Nachricht, oder lassen Sie diese Antwort neu erzeugen.',
    thenAsk: 'Lassen Sie danach diese Antwort neu erzeugen.',
    notDone: (what, why, again) =>
      `Nicht ${again ? 'noch einmal ' : ''}erledigt${why === undefined ? '' : `, ${because[why]}`}: ${what}.`,
  },
}

const because = {
  deny: 'von Ihnen abgelehnt',
  skip: 'von Ihnen übersprungen',
  expired: 'nicht rechtzeitig freigegeben',
  stop: 'vorher gestoppt',
}
