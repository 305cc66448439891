import { byWhy, type Mentioned, type None, type OneOf, type Reading, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

/** What a provider or a check says; `text` in English. */
export interface Failed {
  said: Mentioned & { text: string }
}
/** A server of MCP. */
export interface NotUsable {
  said: Mentioned
}
export interface NotAllowed {
  no_app: None
  foreign: None
}

export interface SignInNeeded {
  provider: { provider: string }
  item: None
  other_account: None
}

/** Why `tool` does not tell what became of calls of the tool `of`. */
export interface NotVerifiable {
  not_here: { tool: string }
  off: { tool: string }
  not_a_read: { tool: string }
  no_argument: { tool: string; argument: string }
  argument_missing: { tool: string; argument: string }
  no_such_value: { of: string; argument: string }
  same_for_all: None
}

export interface ConnectionRefusals {
  built_in: { provider: string }
  connection_not_found: None
  connection_test_failed: Failed
  invalid_values: Failed
  label_taken: None
  no_account: { provider: string }
  no_sign_in: { provider: string }
  sign_in_needed: OneOf<SignInNeeded>
  sign_in_refused: { provider: string }
  nothing_granted: { provider: string }
  foreign_code: None
  unknown_code: None
  unknown_state: None
  unknown_provider: { provider: string }
  return_to_not_allowed: OneOf<NotAllowed>
  provider_unavailable: Failed
  token_not_found: None
  grant_not_found: None
  server_not_found: None
  server_not_usable: NotUsable
  server_name_taken: { name: string }
  not_verifiable: OneOf<NotVerifiable>
}

const failed = ({ said }: Failed | NotUsable, { say }: Reading) => say(said)

/** Connections, and the sign-ins that make them. */
export const connectionRefusals = {
  en: {
    built_in: ({ provider }) => `${provider} needs no connection: everybody has it.`,
    connection_not_found: 'You have no connection with this id.',
    connection_test_failed: failed,
    invalid_values: failed,
    label_taken:
      'You already have a connection of this provider with that name. Give this one another `label`, or change the other one.',
    no_account: ({ provider }) =>
      `${provider} did not say whose account this is, so nothing was connected. Connect again.`,
    no_sign_in: ({ provider }) => `${provider} is connected by its fields: send POST /connections.`,
    sign_in_needed: byWhy<SignInNeeded>({
      provider: ({ provider }) =>
        `${provider} is connected by signing in there. Send POST /oauth/start and open the address it answers.`,
      item: 'Sign in to decide this: the link alone does not.',
      other_account: 'This is for another account. Sign in with that one to decide it.',
    }),
    sign_in_refused: ({ provider }) =>
      `${provider} no longer knows this sign-in, so nothing was connected. Connect again.`,
    nothing_granted: ({ provider }) =>
      `${provider} was not allowed anything, so nothing was connected. Connect again and leave the permissions ticked.`,
    foreign_code:
      'Somebody else started this sign-in, so nothing was connected. Start it yourself in the integration settings.',
    unknown_code:
      'This code has expired or was already used. Look at your connections; if the new one is missing, connect again.',
    unknown_state: 'This sign-in has expired or was already used. Go back to the app and connect again.',
    unknown_provider: ({ provider }) =>
      `There is no provider ${JSON.stringify(provider)}. GET /functions/v1/integration-settings lists them.`,
    return_to_not_allowed: byWhy<NotAllowed>({
      no_app:
        'This project has no app URL, so nobody could be sent back. The operator has to set ASKBACK_APP_URLS.',
      foreign:
        'The address in `returnTo` does not belong to this app. The operator lists the allowed ones in ASKBACK_APP_URLS.',
    }),
    provider_unavailable: ({ said }) => `${said.text} Nothing was connected.`,
    token_not_found: 'You have no token with this id.',
    grant_not_found: 'You have no connected app with this id.',
    server_not_found: 'You have no server with this id.',
    server_not_usable: failed,
    server_name_taken: ({ name }) => `Another server is called ${name}. Give this one another name.`,
    not_verifiable: byWhy<NotVerifiable>({
      not_here: ({ tool }) => `This server has no tool "${tool}". Name one of its own.`,
      off: ({ tool }) => `The tool "${tool}" is off, so it cannot be asked. Switch it on first.`,
      not_a_read: ({ tool }) =>
        `The server does not say that "${tool}" only reads, so it is not called by itself. Name a tool that only reads.`,
      no_argument: ({ tool, argument }) => `The tool "${tool}" takes no argument "${argument}".`,
      argument_missing: ({ tool, argument }) =>
        `The tool "${tool}" needs the argument "${argument}". Say what it gets.`,
      no_such_value: ({ of, argument }) =>
        `The tool "${of}" takes no argument "${argument}", so {${argument}} stands for nothing.`,
      same_for_all:
        'What is to be found is the same for all calls. Let `found` hold an argument of the call, such as {title}.',
    }),
  } satisfies Refuses<ConnectionRefusals>,

  de: ({ say }: GermanAddress): Refuses<ConnectionRefusals> => {
    const connectAgain = `${say('Verbinde', 'Verbinden Sie')} es noch einmal.`
    return {
      built_in: ({ provider }) => `${provider} muss nicht verbunden werden.`,
      connection_not_found: 'Diese Verbindung gibt es nicht mehr.',
      connection_test_failed: failed,
      invalid_values: failed,
      label_taken: `So heißt schon eine andere Verbindung. ${say('Nenne', 'Nennen Sie')} diese anders.`,
      no_account: ({ provider }) =>
        `Welches Konto das ist, hat ${provider} nicht gesagt, deshalb wurde nichts verbunden. ${connectAgain}`,
      no_sign_in: ({ provider }) =>
        `${provider} wird nicht durch Anmelden verbunden, sondern mit seinen Feldern: POST /connections.`,
      sign_in_needed: byWhy<SignInNeeded>({
        provider: ({ provider }) =>
          `Dafür ${say('musst du dich', 'müssen Sie sich')} bei ${provider} anmelden: POST /oauth/start.`,
        item: `${say('Melde dich', 'Melden Sie sich')} an, um darüber zu entscheiden: Der Link allein genügt nicht.`,
        other_account: `Das ist für ein anderes Konto. ${say('Melde dich', 'Melden Sie sich')} mit diesem an, um darüber zu entscheiden.`,
      }),
      sign_in_refused: ({ provider }) =>
        `${provider} kennt diese Anmeldung nicht mehr, deshalb wurde nichts verbunden. ${connectAgain}`,
      nothing_granted: ({ provider }) =>
        `Bei ${provider} wurde nichts erlaubt, deshalb wurde nichts verbunden. ${say('Verbinde es noch einmal und erlaube', 'Verbinden Sie es noch einmal und erlauben Sie')}, wonach gefragt wird.`,
      foreign_code: `Diese Anmeldung hat jemand anderes begonnen, deshalb wurde nichts verbunden. ${say('Beginne', 'Beginnen Sie')} sie in den Einstellungen selbst.`,
      unknown_code: `Diese Anmeldung ist abgelaufen oder schon benutzt. ${say('Sieh in deinen', 'Sehen Sie in Ihren')} Verbindungen nach, und ${say('beginne', 'beginnen Sie')} sie neu, wenn die neue fehlt.`,
      unknown_state: `Diese Anmeldung ist abgelaufen oder schon benutzt. ${say('Beginne', 'Beginnen Sie')} sie in der App neu.`,
      unknown_provider: ({ provider }, { show }) =>
        `Einen Anbieter ${show.value(provider) ?? ''} gibt es hier nicht; GET /functions/v1/integration-settings nennt sie.`,
      return_to_not_allowed: byWhy<NotAllowed>({
        no_app:
          'Dieses Projekt hat keine Adresse der App, zu der es zurückginge. Der Betreiber muss ASKBACK_APP_URLS setzen.',
        foreign:
          'Die Adresse in „returnTo“ gehört nicht zu dieser App. Welche erlaubt sind, legt der Betreiber in ASKBACK_APP_URLS fest.',
      }),
      provider_unavailable: ({ said }, reading) => `${reading.say(said)} Es wurde nichts verbunden.`,
      token_not_found: 'Dieses Token gibt es nicht mehr.',
      grant_not_found: 'Diese verbundene App gibt es nicht mehr.',
      server_not_found: 'Diesen Server gibt es nicht mehr.',
      server_not_usable: failed,
      server_name_taken: ({ name }) =>
        `Ein anderer Server heißt schon ${name}. ${say('Nenne', 'Nennen Sie')} diesen anders.`,
      not_verifiable: byWhy<NotVerifiable>({
        not_here: ({ tool }, { show }) => `Dieser Server hat kein Werkzeug ${show.value(tool)}.`,
        off: ({ tool }, { show }) =>
          `Das Werkzeug ${show.value(tool)} ist aus und kann deshalb nicht gefragt werden. ${say('Schalte', 'Schalten Sie')} es zuerst ein.`,
        not_a_read: ({ tool }, { show }) =>
          `Der Server sagt nicht, dass ${show.value(tool)} nur liest, deshalb wird es nicht von selbst aufgerufen. ${say('Nenne', 'Nennen Sie')} ein Werkzeug, das nur liest.`,
        no_argument: ({ tool, argument }, { show }) =>
          `Das Werkzeug ${show.value(tool)} hat kein Argument ${show.value(argument)}.`,
        argument_missing: ({ tool, argument }, { show }) =>
          `Das Werkzeug ${show.value(tool)} braucht das Argument ${show.value(argument)}.`,
        no_such_value: ({ of, argument }, { show }) =>
          `Das Werkzeug ${show.value(of)} hat kein Argument ${show.value(argument)}, deshalb steht {${argument}} für nichts.`,
        same_for_all:
          'Was gefunden werden soll, ist bei allen Aufrufen gleich. `found` braucht ein Argument des Aufrufs, etwa {title}.',
      }),
    }
  },
}
