import type { AppLabels } from './en-apps.ts'

/** The same, in German. */
export const germanApps: AppLabels = {
  title: 'Verbundene Apps',
  connectTitle: 'Eine App verbinden',
  none: 'Es ist keine App verbunden.',
  unaskedNote:
    'Programme, die deine Agenten über MCP benutzen. Was deine Freigabe braucht, wartet weiterhin hier darauf.',
  nothingSaid: 'Dieser Link sagt nicht, welche App verbunden werden soll. Beginne in der App.',

  hostAsks: (host) => `${host} möchte deinen Agenten benutzen`,
  computerAsks: 'Ein Programm auf diesem Computer möchte deinen Agenten benutzen',
  knownAsks: 'Eine App, bei der du angemeldet bist, möchte deinen Agenten benutzen',
  callsItself: (name) => `Es nennt sich „${name}“. Niemand hat das geprüft.`,
  namesNothing: 'Einen Namen nennt es nicht.',
  describedAt: (host) => `Beschrieben wird es auf ${host}.`,
  forAccount: (email) => `Du bist als ${email} angemeldet.`,
  agent: 'Agent',
  mayDo: 'Was es darf',
  laterOff: 'Werkzeuge, die später dazukommen, sind aus.',
  asksYou: 'fragt dich vorher',
  unasked: 'fragt nicht vorher',
  giveTasks: (agent) => `${agent} Aufgaben geben`,
  giveTasksNote: 'mit dem, was hier eingeschaltet ist',
  forms: 'Es darf Freigaben selbst anzeigen',
  formsNote:
    'Sonst gibst du hier frei, in dieser App. Manche Programme beantworten solche Fragen, ohne sie dir zu zeigen.',
  sends: 'Wem es ohne Nachfrage schreiben darf',
  sendsNote:
    'Was im Chat immer erlaubt ist, gilt für Apps nicht. Es gilt für das, was die App selbst verschickt, nicht für das, was der Agent für sie verschickt.',
  allow: 'Jemanden erlauben',
  tool: 'Werkzeug',
  allowThem: 'Erlauben',
  allowed: 'Erlaubt.',
  takeBack: 'Zurücknehmen',
  takeBackThis: (permission) => `Zurücknehmen: ${permission}`,
  takenBack: (permission) => `Zurückgenommen: ${permission}`,
  connect: 'Verbinden',
  deny: 'Nicht verbinden',
  goingBack: 'Zurück zur App …',
  connected: 'Verbunden. Geh zurück zur App und versuch es noch einmal.',
  notConnected: 'Es wurde nichts verbunden.',
  over: 'Diese Anfrage ist abgelaufen oder schon beantwortet. Beginne in der App von vorn.',
  unknownApp: 'Diese App ist nicht bei deinem Konto angemeldet. Beginne in der App.',
  switchedOff: 'Andere Apps lassen sich hier nicht verbinden. Frag die Betreiber dieser App.',

  name: (name) => `„${name}“`,
  onComputer: 'auf diesem Computer',
  disconnect: 'Trennen',
  disconnectThis: (name) => `„${name}“ trennen`,
  disconnectQuestion: (name) => `„${name}“ trennen?`,
  disconnectNote:
    'Deinen Agenten kann sie dann nicht mehr benutzen. Was sie verlangt hat und noch nicht erledigt ist, wird nicht mehr getan.',
  disconnected: (name) => `„${name}“ ist getrennt.`,
  stillSignedIn: (name) =>
    `„${name}“ kann hier nichts mehr tun, ließ sich aber nicht abmelden. Bei der nächsten Anmeldung wirst du vielleicht nicht gefragt.`,
  saved: 'Gespeichert.',
}
