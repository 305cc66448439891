import { problemInEnglish } from './connections.ts'
import type { Subject } from './subject.ts'

/** Sentences that lead to the settings, as they are said in the settings themselves. */
export const inSettings: Subject<
  'connection_refused' | 'key_refused' | 'sign_in_again' | 'secret_corrupted'
> = {
  en: {
    connection_refused: ({ values }) =>
      values.host !== undefined
        ? `${problemInEnglish(values)} Check what is entered here; many providers need an app password.`
        : undefined,
    key_refused: ({ provider }) =>
      `${provider} doesn’t accept this API key. Copy it from there again, and enter it here.`,
    sign_in_again: ({ provider }) =>
      `Your sign-in with ${provider} has expired or was withdrawn. Reconnect it here.`,
    secret_corrupted: ({ provider }) =>
      `What’s stored for ${provider} can no longer be read. Enter it here again.`,
  },
  de: {
    connection_refused: ({ provider }) =>
      `${provider} nimmt diese Zugangsdaten nicht an. Prüfe sie; viele Mailanbieter verlangen ein App-Passwort.`,
    key_refused: ({ provider }) =>
      `${provider} nimmt diesen API-Schlüssel nicht an. Kopiere ihn dort noch einmal und trage ihn hier ein.`,
    sign_in_again: ({ provider }) =>
      `Deine Anmeldung bei ${provider} ist abgelaufen oder wurde beendet. Verbinde es hier neu.`,
    secret_corrupted: ({ provider }) =>
      `Was für ${provider} hinterlegt ist, lässt sich nicht mehr lesen. Trage es hier neu ein.`,
  },
}
