import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

export interface Unauthorized {
  no_token: None
  no_jwt: None
  signed_otherwise: None
  token_expired: None
  wrong_audience: None
  token_not_valid: None
  no_user: None
  session: None

  tickets_off: None
  ticket_not_valid: None
  ticket_incomplete: None
  ticket_for_other: None

  clock_unsigned: { header: string }
  clock_old: { header: string }
}
export interface ForeignIssuer {
  none: None
  other: { issuer: string; accepted: readonly string[] }
}
export interface InvalidApiToken {
  unknown: None
  revoked: None
  expired: None
  foreign: None
  other_scope: { scope: 'chat' | 'mcp' }
}

export interface AuthenticationRefusals {
  unauthorized: OneOf<Unauthorized>
  foreign_issuer: OneOf<ForeignIssuer>
  foreign_client: { client: string }
  /** `page`: where its user can allow it; undefined if the project has no app. */
  client_not_allowed: { client: string; page: string | undefined }
  invalid_api_key: OneOf<InvalidApiToken>
  unknown_user: None
  account_disabled: None
  anonymous_refused: None
  second_factor_required: None
  not_an_operator: None
  keys_unavailable: None
  wrong_email: { given: string; email: string | null }
}

/** Who somebody is, and what they may do. */
export const authenticationRefusals = {
  en: {
    unauthorized: byWhy<Unauthorized>({
      no_token: 'Sign in first: send the access token as "Authorization: Bearer <token>".',
      no_jwt: 'The access token is not a JWT. Sign in and send the access token of the session.',
      signed_otherwise:
        'The access token is signed in a way that this project does not accept. Sign in again; if that does not help, compare the signing keys of the project with the settings of its functions.',
      token_expired: 'The access token has expired. Refresh the session and try again.',
      wrong_audience: 'The access token does not belong to a signed-in user (wrong audience). Sign in first.',
      token_not_valid: 'The access token is not valid. Sign in again.',
      no_user: 'The access token names no user. Sign in as a user.',
      session:
        'The access token is that of a session of the app. An MCP client signs in at the OAuth server of the project, or sends an API token that was made for MCP.',

      tickets_off: 'Internal tickets are not accepted here: ASKBACK_FUNCTION_SECRET is not set.',
      ticket_not_valid: 'The internal ticket has expired or is not valid.',
      ticket_incomplete: 'The internal ticket is incomplete.',
      ticket_for_other: 'The internal ticket was made for another call.',

      clock_unsigned: ({ header }) =>
        `Only the clock may send this request, signed with ASKBACK_FUNCTION_SECRET (${header}).`,
      clock_old: ({ header }) =>
        `The signature of this request (${header}) is too old, or from the future. Compare the clocks of both machines.`,
    }),
    foreign_issuer: byWhy<ForeignIssuer>({
      none: 'The access token does not say who issued it (iss). Whoever runs the app has to set the issuer of its sign-in (GOTRUE_JWT_ISSUER).',
      other: ({ issuer, accepted }) =>
        `The access token was issued by ${issuer}, and this project accepts only ${accepted.map((one) => JSON.stringify(one)).join(' and ')}. Sign in to this app; if that does not help, whoever runs it has to add that issuer to ASKBACK_TOKEN_ISSUERS.`,
    }),
    foreign_client: ({ client }) =>
      `The access token was issued to another app (client_id ${client}), which has no access here. Sign in to this app directly. If the other app belongs to this project, whoever runs it has to add that id to ASKBACK_OWN_CLIENTS.`,
    client_not_allowed: ({ client, page }) =>
      `This app (client_id ${client}) may not use this agent: its user has not allowed it, or no longer does. ${page === undefined ? 'The project has no page where they could: its operator has to set ASKBACK_APP_URLS.' : `To allow it, they can open ${page} and press Connect.`}`,
    invalid_api_key: byWhy<InvalidApiToken>({
      unknown: 'This API token is unknown. Create one in the integration settings.',
      revoked: 'This API token was revoked. Create a new one in the integration settings.',
      expired: 'This API token has expired. Create a new one in the integration settings.',
      foreign: 'This is not an Askback token. Create one under Integrations, OpenAI clients.',
      other_scope: ({ scope }) =>
        `This API token was made for ${scope === 'mcp' ? 'MCP' : 'OpenAI'} clients and opens nothing else. Create another one in the integration settings.`,
    }),
    unknown_user: 'This account no longer exists. Sign in again.',
    account_disabled: 'This account is disabled. Ask whoever runs this app to enable it again.',
    anonymous_refused:
      'Anonymous accounts cannot do this here. Sign in, or add an email address to your account.',
    second_factor_required:
      'This needs your second factor. Enter the code from your authenticator app and try again; if you have none yet, set one up first.',
    not_an_operator:
      'This is for operators. Whoever runs this project can make you one, in askback.operators.',
    keys_unavailable:
      "The signing keys of this project could not be loaded, so nobody's sign-in can be checked. Try again in a minute.",
    wrong_email: ({ given, email }) =>
      `"${given}" is not the address of this account. ${email === null ? 'Send the id of the account as `email`' : `Type ${email}`} to delete it. Nothing was deleted.`,
  } satisfies Refuses<AuthenticationRefusals>,

  de: ({ say }: GermanAddress): Refuses<AuthenticationRefusals> => {
    const signInHere = say('Melde dich', 'Melden Sie sich')
    const create = `${say('Erstelle', 'Erstellen Sie')} in den Einstellungen ein neues.`
    const programs = 'Die Funktionen dieses Projekts sind nicht passend eingerichtet.'
    const noSignIn = `${say('Du bist', 'Sie sind')} abgemeldet. ${signInHere} wieder an.`
    return {
      unauthorized: byWhy<Unauthorized>({
        no_token: noSignIn,
        no_jwt: noSignIn,
        signed_otherwise: `Diese Anmeldung ist anders unterschrieben, als dieses Projekt es annimmt. ${signInHere} neu an; wenn das nicht hilft, muss der Betreiber die Schlüssel des Projekts mit den Einstellungen seiner Funktionen vergleichen.`,
        token_expired: noSignIn,
        wrong_audience: noSignIn,
        token_not_valid: noSignIn,
        no_user: noSignIn,
        session:
          'Diese Anmeldung ist die der App selbst. Ein MCP-Programm meldet sich beim OAuth-Server des Projekts an oder schickt ein API-Token, das für MCP erstellt wurde.',

        tickets_off: `${programs} ASKBACK_FUNCTION_SECRET ist nicht gesetzt.`,
        ticket_not_valid: 'Das interne Ticket ist abgelaufen oder ungültig.',
        ticket_incomplete: 'Das interne Ticket ist unvollständig.',
        ticket_for_other: 'Das interne Ticket gilt für einen anderen Aufruf.',

        clock_unsigned: ({ header }) =>
          `Diese Anfrage darf nur die Uhr senden, unterschrieben mit ASKBACK_FUNCTION_SECRET (${header}).`,
        clock_old: ({ header }) =>
          `Die Unterschrift dieser Anfrage (${header}) ist zu alt oder aus der Zukunft. ${say('Vergleiche', 'Vergleichen Sie')} die Uhren beider Rechner.`,
      }),
      foreign_issuer: byWhy<ForeignIssuer>({
        none: 'Diese Anmeldung sagt nicht, wer sie ausgestellt hat (iss). Der Betreiber muss den Aussteller seiner Anmeldung eintragen (GOTRUE_JWT_ISSUER).',
        other: ({ issuer }) =>
          `Diese Anmeldung gehört nicht zu dieser App: Ausgestellt hat sie ${issuer}. ${signInHere} hier an; wenn das nicht hilft, muss der Betreiber diesen Aussteller in ASKBACK_TOKEN_ISSUERS eintragen.`,
      }),
      foreign_client: ({ client }) =>
        `${say('Du bist', 'Sie sind')} über eine andere App angemeldet (client_id ${client}), die hier nichts darf. ${signInHere} direkt in dieser App an. Wenn die andere App zu diesem Projekt gehört, muss der Betreiber diese ID in ASKBACK_OWN_CLIENTS eintragen.`,
      client_not_allowed: ({ client, page }) =>
        `Diese App (client_id ${client}) darf diesen Agenten nicht benutzen: Es wurde ihr nicht erlaubt, oder nicht mehr. ${page === undefined ? 'Eine Seite, auf der das ginge, hat dieses Projekt nicht: Der Betreiber muss ASKBACK_APP_URLS setzen.' : `Erlauben ${say('kannst du', 'können Sie')} es, wenn ${say('du', 'Sie')} ${page} ${say('öffnest', 'öffnen')}.`}`,
      invalid_api_key: byWhy<InvalidApiToken>({
        unknown: `Dieses API-Token ist unbekannt. ${create}`,
        revoked: `Dieses API-Token wurde widerrufen. ${create}`,
        expired: `Dieses API-Token ist abgelaufen. ${create}`,
        foreign: `Das ist kein Token von Askback. ${say('Erstelle', 'Erstellen Sie')} eines unter Integrationen, OpenAI-Clients.`,
        other_scope: ({ scope }) =>
          `Dieses API-Token ist für ${scope === 'mcp' ? 'MCP' : 'OpenAI'}-Clients und öffnet sonst nichts. ${create}`,
      }),
      unknown_user: `Dieses Konto gibt es nicht mehr. ${signInHere} neu an.`,
      account_disabled: 'Dieses Konto ist gesperrt. Wer die App betreibt, kann es wieder freigeben.',
      anonymous_refused: `Mit einem anonymen Konto geht das hier nicht. ${signInHere} an, oder ${say('füge deinem', 'fügen Sie Ihrem')} Konto eine E-Mail-Adresse hinzu.`,
      second_factor_required: `Dafür ${say('brauchst du deinen', 'brauchen Sie Ihren')} zweiten Faktor. ${say('Gib', 'Geben Sie')} den Code aus ${say('deiner', 'Ihrer')} Authenticator-App ein und ${say('versuche', 'versuchen Sie')} es noch einmal. Wenn ${say('du noch keine hast, richte', 'Sie noch keine haben, richten Sie')} zuerst eine ein.`,
      not_an_operator: `Das dürfen nur Betreiber. Wer dieses Projekt betreibt, kann ${say('dich', 'Sie')} dazu machen, in askback.operators.`,
      keys_unavailable: `Die Anmeldung lässt sich gerade nicht prüfen. ${say('Versuche', 'Versuchen Sie')} es in einer Minute noch einmal.`,
      wrong_email: ({ given, email }, { show }) =>
        `${show.value(given) ?? 'Das'} ist nicht die Adresse dieses Kontos. ${email === null ? `${say('Sende', 'Senden Sie')} die ID des Kontos als „email“` : `${say('Tippe', 'Tippen Sie')} ${email}`}, um es zu löschen. Gelöscht wurde nichts.`,
    }
  },
}
