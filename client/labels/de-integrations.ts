import { type IntegrationLabels, withAccount } from './en-integrations.ts'

/** The integration settings, in German. */
export const germanIntegrations: IntegrationLabels = {
  forAgents: 'Für deine Agenten',
  languageModels: 'Sprachmodelle',
  theAccount: 'Das Konto',
  notAllowed: 'Du hast den Zugriff nicht erlaubt, es wurde nichts verbunden.',
  notConnectedBack: (name) => `${name}: Verbinden hat nicht geklappt. Versuch es noch einmal.`,
  connectedBack: (provider, account) => `Mit ${withAccount(provider, account)} verbunden.`,

  connect: 'Verbinden',
  connectAnother: 'Weitere verbinden',
  connectInstead: 'Oder verbinde:',
  notConnected: 'Nicht verbunden',
  notSetUp: 'Hier nicht eingerichtet',
  notSetUpNote:
    'Wer diese App betreibt, muss sie erst bei Google registrieren und GOOGLE_CLIENT_ID und GOOGLE_CLIENT_SECRET setzen.',
  noSignIn: (why) => `Die Anmeldung mit Google ist hier nicht eingerichtet. ${why}`,
  connected: (provider, account) =>
    `Mit ${withAccount(provider, account)} verbunden. Was darauf gewartet hat, geht weiter oder fragt dich vorher.`,
  alreadyConnected: (provider) => `${provider} ist schon verbunden. Es wurde nichts Neues gespeichert.`,

  connectTo: (provider) => `${provider} verbinden`,
  changeOf: (provider) => `${provider} ändern`,
  getKey: 'Schlüssel holen',
  connectionName: 'Name dieser Verbindung',
  connectionExample: 'Arbeit',
  nameTaken: 'Eine andere Verbindung heißt schon so. Wähle einen anderen Namen.',
  said: {
    connection_refused: ({ provider }) =>
      `${provider} nimmt diese Zugangsdaten nicht an. Prüfe sie; viele Mailanbieter verlangen ein App-Passwort.`,
    key_refused: ({ provider }) =>
      `${provider} nimmt diesen API-Schlüssel nicht an. Kopiere ihn dort noch einmal und trage ihn hier ein.`,
    sign_in_again: ({ provider }) =>
      `Deine Anmeldung bei ${provider} ist abgelaufen oder wurde beendet. Verbinde es hier neu.`,
    secret_corrupted: ({ provider }) =>
      `Was für ${provider} hinterlegt ist, lässt sich nicht mehr lesen. Trage es hier neu ein.`,
  },
  secretStored: 'Gespeichert. Leer lassen, um es zu behalten.',
  testing: 'Wird getestet …',
  save: 'Speichern',
  cancel: 'Abbrechen',

  works: 'Funktioniert',
  signInBy: (day) => `Bis ${day} neu anmelden`,
  signInSoon: 'Bald neu anmelden',
  signInAgain: 'Neu anmelden',
  broken: 'Funktioniert nicht',
  off: 'Ausgeschaltet',
  lastUsed: (moment) => `zuletzt benutzt am ${moment}`,
  test: 'Testen',
  providerWorks: (provider) => `${provider} funktioniert.`,
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchedOn: 'Eingeschaltet. Was darauf gewartet hat, geht weiter oder fragt dich vorher.',
  switchedOff: 'Ausgeschaltet. Deine Agenten nutzen es nicht mehr.',
  reconnect: 'Neu verbinden',
  change: 'Ändern',
  allowedThings: (things) => `Du hast erlaubt: ${things}.`,
  usedFor: (tools) => `Werkzeuge: ${tools}`,
  missing: (count) => `Noch nicht erlaubt: ${count === 1 ? 'eine Sache' : `${count} Sachen`}`,
  allow: 'Erlauben',
  allowThis: (what) => `Erlauben: ${what}`,
  details: 'Details',
  given: { simulated: 'simuliert', 'Local inbox': 'Lokaler Posteingang' },
  secrets: 'Passwörter und Schlüssel',
  secretsNote: 'verschlüsselt gespeichert, nie angezeigt',

  disconnect: 'Trennen',
  disconnectQuestion: (provider, account) => `${withAccount(provider, account)} trennen?`,
  keepIt: 'Behalten',
  modelsStop: 'Agenten, deren Modell diesen Schlüssel braucht, antworten dann nicht mehr.',
  toolsStop: (tools) => `Deine Agenten können ${tools} dann nicht mehr nutzen.`,
  othersUsed: 'Deine Agenten nutzen dann deine anderen Verbindungen.',
  noneUsesIt: 'Kein Agent nutzt sie.',
  accessEnds: (provider) =>
    `Alles, was dafür gespeichert ist, wird gelöscht, und der Zugriff bei ${provider} endet.`,
  keyNeeded:
    'Alles, was dafür gespeichert ist, wird gelöscht. Um sie wieder zu verbinden, brauchst du den Schlüssel oder das Passwort.',
  disconnected: 'Getrennt.',
  lost: (agent, tools) => `${agent} kann ${tools} nicht mehr nutzen.`,
  removeThere: (provider) => `Entferne die App auch in deinem Konto bei ${provider}.`,

  order: 'Was zuerst kommt',
  orderOf: (what) => `Reihenfolge: ${what}`,
  modelsOrder: 'Sprachmodelle',
  modelsOrderNote: 'Agenten ohne eigenes Modell nutzen den ersten Schlüssel.',
  orderNote: (tools) =>
    `Für ${tools.map((tool) => `„${tool}“`).join(' und ')}: Die erste Verbindung wird genutzt, die anderen springen ein, wenn sie ausfällt.`,
  moveUp: 'Nach oben',
  moveUpThis: (name) => `Nach oben: ${name}`,
}
