import { german } from '../../client/labels/de.ts'
import type { Language } from './language.ts'

export const language: Language = {
  client: german,
  account: {
    title: 'Konto',
    signedInAs: (email) => `Angemeldet als ${email}.`,
    devices: 'Geräte',
    devicesNote:
      'Meldet dich hier und überall sonst ab. Bei anderen Geräten kann es bis zu einer Stunde dauern. Tokens für OpenAI-Clients gelten weiter.',
    signOutEverywhere: 'Überall abmelden',
    signedOutEverywhere: 'Du bist auf allen deinen Geräten abgemeldet.',
  },
}
