/** The English labels for apps that connect over MCP: only their pages load these. */
export const englishApps = {
  title: 'Connected apps',
  connectTitle: 'Connect an app',
  none: 'No app is connected.',
  unaskedNote: 'Programs that use your agents over MCP. What needs your approval still waits for it here.',
  nothingSaid: 'This link doesn’t say which app to connect. Start in the app.',

  hostAsks: (host: string) => `${host} wants to use your agent`,
  computerAsks: 'A program on this computer wants to use your agent',
  knownAsks: 'An app that you’ve signed in to wants to use your agent',
  callsItself: (name: string) => `It calls itself “${name}”. Nobody has checked that.`,
  namesNothing: 'It doesn’t say what it’s called.',
  describedAt: (host: string) => `It’s described at ${host}.`,
  forAccount: (email: string) => `You’re signed in as ${email}.`,
  agent: 'Agent',
  mayDo: 'What it may do',
  laterOff: 'Tools that are added later are off.',
  asksYou: 'asks you first',
  unasked: 'doesn’t ask first',
  giveTasks: (agent: string) => `Give tasks to ${agent}`,
  giveTasksNote: 'uses what is switched on here',
  forms: 'It may show approvals itself',
  formsNote:
    'Otherwise you approve here, in this app. Some programs answer such questions without showing them to you.',
  sends: 'Whom it may write to without asking',
  sendsNote:
    'What is always allowed in the chat doesn’t count for apps. It covers what the app sends itself, not what your agent sends for it.',
  allow: 'Allow somebody',
  tool: 'Tool',
  allowThem: 'Allow',
  allowed: 'Allowed.',
  takeBack: 'Take back',
  takeBackThis: (permission: string) => `Take back: ${permission}`,
  takenBack: (permission: string) => `Taken back: ${permission}`,
  connect: 'Connect',
  deny: 'Don’t connect',
  goingBack: 'Going back to the app …',
  connected: 'Connected. Go back to the app and try again.',
  notConnected: 'Nothing was connected.',
  over: 'This request has expired or was already answered. Start again in the app.',
  unknownApp: 'This app isn’t signed in to your account. Start in the app.',
  switchedOff: 'Other apps can’t be connected here. Ask the people who run this app.',

  name: (name: string) => `“${name}”`,
  onComputer: 'on this computer',
  disconnect: 'Disconnect',
  disconnectThis: (name: string) => `Disconnect “${name}”`,
  disconnectQuestion: (name: string) => `Disconnect “${name}”?`,
  disconnectNote:
    'It can no longer use your agent. Whatever it has asked for and isn’t done yet won’t be done.',
  disconnected: (name: string) => `“${name}” is disconnected.`,
  stillSignedIn: (name: string) =>
    `“${name}” can no longer do anything here, but signing it out failed. Its next sign-in may not ask you.`,
  saved: 'Saved.',
}

export type AppLabels = typeof englishApps
