import { byWhy, type Mentioned, type None, type OneOf, type Reading, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'
import { type Consequence, consequencesInEnglish, consequencesInGerman } from './consequences.ts'
import { type NotOffered, notOfferedInEnglish, notOfferedInGerman } from './not-offered.ts'

export interface Broken {
  request: None
  run: None
  stream: None
}
export interface NotSetUp {
  clock: None
  sign_in: { provider: string }
  credentials_key: None
  /** What a provider answers to our own credentials; `text` in English. */
  provider: { said: Mentioned & { text: string } }
  app_urls: None
  deciding_links: None
  servers: None
}
export interface Away {
  /** What was not done. */
  so?: Consequence | undefined
}

export interface ServerRefusals {
  /** Words of the answer. */
  run_failed: { words: string }
  internal_error: OneOf<Broken>
  database_busy: Away
  database_unavailable: Away
  version_not_accepted: None
  not_configured: OneOf<NotSetUp>
  tool_not_found: None
  not_offered: None
  offer_refused: OneOf<NotOffered>
}

/** What is wrong on the server. */
export const serverRefusals = {
  en: {
    run_failed: ({ words }) => words,
    internal_error: byWhy<Broken>({
      request:
        'Something went wrong on the server. Try again; if it keeps happening, see the log of the function.',
      run: (_, { say }) => say({ code: 'server_fault' }),
      stream: 'Something went wrong on the server. Reload the conversation to see what was done.',
    }),
    database_busy: ({ so }) => `The database is busy${thenInEnglish(so)}`,
    database_unavailable: ({ so }) => `The database cannot be reached${thenInEnglish(so)}`,
    version_not_accepted: 'The assistant is being updated. Send the message again in a minute.',
    not_configured: byWhy<NotSetUp>({
      clock: 'ASKBACK_FUNCTION_SECRET is not set, so waiting runs are not resumed. Set this secret.',
      sign_in: ({ provider }) =>
        `Signing in with ${provider} is not set up here. The operator has to register an app at the provider and set its client id and secret (GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET).`,
      credentials_key:
        'This server has no usable key to encrypt credentials with, so nothing can be connected. Please tell whoever runs it.',
      provider: ({ said }) => `${said.text} Nothing was connected.`,
      app_urls:
        'This project has no web app where a link could lead. The operator has to set ASKBACK_APP_URLS.',
      deciding_links:
        'ASKBACK_FUNCTION_SECRET is not set, so nothing can be done for a user who is away. Set this secret.',
      servers:
        'The function mcp-client, which talks to servers of MCP, does not answer. The operator has to deploy it and set ASKBACK_FUNCTION_SECRET.',
    }),
    tool_not_found: 'There is no tool with this name that everybody can have.',
    not_offered: 'This function is not offered.',
    offer_refused: notOfferedInEnglish,
  } satisfies Refuses<ServerRefusals>,

  de: ({ say }: GermanAddress): Refuses<ServerRefusals> => {
    const consequences = consequencesInGerman({ say })
    const then = (so: Consequence | undefined) =>
      so === undefined
        ? `. ${say('Versuche', 'Versuchen Sie')} es in einer Minute noch einmal.`
        : `, deshalb ${consequences[so]}`
    return {
      run_failed: ({ words }) => words,
      internal_error: byWhy<Broken>({
        request: `Auf dem Server ist etwas schiefgegangen. ${say('Versuche', 'Versuchen Sie')} es noch einmal.`,
        run: (_, reading: Reading) => reading.say({ code: 'server_fault' }),
        stream: `Auf dem Server ist etwas schiefgegangen. ${say('Lade die Unterhaltung neu, dann siehst du', 'Laden Sie die Unterhaltung neu, dann sehen Sie')}, was geschehen ist.`,
      }),
      database_busy: ({ so }) => `Die Datenbank ist gerade überlastet${then(so)}`,
      database_unavailable: ({ so }) => `Die Datenbank ist gerade nicht erreichbar${then(so)}`,
      version_not_accepted: `Der Assistent wird gerade aktualisiert. ${say('Sende', 'Senden Sie')} die Nachricht in einer Minute noch einmal.`,
      not_configured: byWhy<NotSetUp>({
        clock:
          'ASKBACK_FUNCTION_SECRET ist nicht gesetzt, deshalb geht nichts weiter, was wartet. Dieses Secret muss gesetzt werden.',
        sign_in: ({ provider }) =>
          `Die Anmeldung bei ${provider} ist hier nicht eingerichtet. Der Betreiber muss beim Anbieter eine App anlegen und deren Client-ID und Secret setzen (GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET).`,
        credentials_key: `Diesem Server fehlt ein brauchbarer Schlüssel, um Zugangsdaten zu verschlüsseln, deshalb lässt sich nichts verbinden. Bitte ${say('sag', 'sagen Sie')} es dem Betreiber.`,
        provider: ({ said }, reading) => `${reading.say(said)} Es wurde nichts verbunden.`,
        app_urls:
          'Dieses Projekt hat keine Web-App, zu der ein Link führen könnte. Der Betreiber muss ASKBACK_APP_URLS setzen.',
        deciding_links:
          'ASKBACK_FUNCTION_SECRET ist nicht gesetzt, deshalb lässt sich für Nutzer, die nicht da sind, nichts tun. Dieses Secret muss gesetzt werden.',
        servers:
          'Die Funktion mcp-client, die mit MCP-Servern spricht, antwortet nicht. Der Betreiber muss sie bereitstellen und ASKBACK_FUNCTION_SECRET setzen.',
      }),
      tool_not_found: 'Ein Werkzeug dieses Namens, das alle haben können, gibt es nicht.',
      not_offered: 'Diese Funktion ist nicht freigegeben.',
      offer_refused: notOfferedInGerman,
    }
  },
}

function thenInEnglish(so: Consequence | undefined): string {
  return so === undefined ? '. Try again in a minute.' : `, so ${consequencesInEnglish[so]}`
}
