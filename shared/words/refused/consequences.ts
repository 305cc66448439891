import type { GermanAddress } from '../sentences/german-address.ts'

/** What was not done because the database did not answer, after "so". */
export const consequencesInEnglish = {
  not_read: 'this cannot be read. Try again in a minute.',
  not_changed: 'nothing was changed. Try again in a minute.',
  not_done: 'nothing was done. Try again in a minute.',
  not_stored: 'nothing was stored. Try again in a minute.',
  not_deleted: 'nothing was deleted. Try again in a minute.',
  not_looked_up: 'nothing was looked up. Try again in a minute.',

  account_unknown: 'your account cannot be looked up. Try again in a minute.',
  account_kept: 'your account was not deleted. Try again in a minute.',
  operator_unknown: 'it is not known what you may see. Try again in a minute.',
  token_unchecked: 'your token cannot be checked. Try again in a minute.',

  message_not_stored: 'your message is not stored yet. Send it again in a minute.',
  message_not_answered: 'your message is not answered yet. Send it again in a minute.',
  answer_not_read: 'the answer cannot be read. Ask again in a minute.',
  not_stopped: 'nothing was stopped. Try again in a minute.',
  not_resumed: 'nothing could be resumed.',
  file_not_read: 'the file cannot be read. Try again in a minute.',
  file_not_stored: 'the file is not stored yet. Send it again in a minute.',

  models_not_listed: 'the models cannot be listed. Try again in a minute.',
  tools_not_listed: 'the tools cannot be listed. Try again in a minute.',
  agents_not_listed: 'your agents cannot be listed. Try again in a minute.',
  permissions_not_listed: 'your permissions cannot be listed. Try again in a minute.',
  schedules_not_listed: 'your schedules cannot be listed. Try again in a minute.',
  tokens_not_listed: 'your tokens cannot be listed. Try again in a minute.',
  grants_not_listed: 'your connected apps cannot be listed. Try again in a minute.',
  settings_not_read: 'the settings cannot be read. Try again in a minute.',
  not_permitted: 'nothing was permitted. Try again in a minute.',
  not_revoked: 'nothing was revoked. Try again in a minute.',
  token_not_created: 'no token was created. Try again in a minute.',
  sign_in_not_started: 'the sign-in did not start. Try again in a minute.',
  not_connected: 'nothing was connected. Connect again in a minute.',
}
export type Consequence = keyof typeof consequencesInEnglish

/** The same after "deshalb". */
export function consequencesInGerman({ say }: Pick<GermanAddress, 'say'>): Record<Consequence, string> {
  const tryAgain = `${say('Versuche', 'Versuchen Sie')} es in einer Minute noch einmal.`
  const sendAgain = `${say('Sende', 'Senden Sie')} sie in einer Minute noch einmal.`
  const your = say('deine', 'Ihre')
  return {
    not_read: `lässt sich das nicht lesen. ${tryAgain}`,
    not_changed: `wurde nichts geändert. ${tryAgain}`,
    not_done: `wurde nichts getan. ${tryAgain}`,
    not_stored: `wurde nichts gespeichert. ${tryAgain}`,
    not_deleted: `wurde nichts gelöscht. ${tryAgain}`,
    not_looked_up: `wurde nichts nachgesehen. ${tryAgain}`,

    account_unknown: `lässt sich ${say('dein', 'Ihr')} Konto nicht nachsehen. ${tryAgain}`,
    account_kept: `wurde ${say('dein', 'Ihr')} Konto nicht gelöscht. ${tryAgain}`,
    operator_unknown: `ist nicht bekannt, was ${say('du sehen darfst', 'Sie sehen dürfen')}. ${tryAgain}`,
    token_unchecked: `lässt sich ${say('dein', 'Ihr')} Token nicht prüfen. ${tryAgain}`,

    message_not_stored: `ist ${your} Nachricht noch nicht gespeichert. ${sendAgain}`,
    message_not_answered: `ist ${your} Nachricht noch nicht beantwortet. ${sendAgain}`,
    answer_not_read: `lässt sich die Antwort nicht lesen. ${tryAgain}`,
    not_stopped: `wurde nichts gestoppt. ${tryAgain}`,
    not_resumed: 'ging nichts weiter.',
    file_not_read: `lässt sich die Datei nicht lesen. ${tryAgain}`,
    file_not_stored: `ist die Datei noch nicht gespeichert. ${sendAgain}`,

    models_not_listed: `lassen sich die Modelle nicht auflisten. ${tryAgain}`,
    tools_not_listed: `lassen sich die Werkzeuge nicht auflisten. ${tryAgain}`,
    agents_not_listed: `lassen sich ${your} Agenten nicht auflisten. ${tryAgain}`,
    permissions_not_listed: `lassen sich ${your} Erlaubnisse nicht auflisten. ${tryAgain}`,
    schedules_not_listed: `lassen sich ${your} Zeitpläne nicht auflisten. ${tryAgain}`,
    grants_not_listed: `lassen sich ${your} verbundenen Apps nicht auflisten. ${tryAgain}`,
    tokens_not_listed: `lassen sich ${your} Token nicht auflisten. ${tryAgain}`,
    settings_not_read: `lassen sich die Einstellungen nicht lesen. ${tryAgain}`,
    not_permitted: `wurde nichts erlaubt. ${tryAgain}`,
    not_revoked: `wurde nichts widerrufen. ${tryAgain}`,
    token_not_created: `wurde kein Token erstellt. ${tryAgain}`,
    sign_in_not_started: `hat die Anmeldung nicht begonnen. ${tryAgain}`,
    not_connected: `wurde nichts verbunden. ${tryAgain}`,
  }
}
