import type { Labels } from './en.ts'
import type { AppLabels } from './en-apps.ts'
import type { ChatLabels } from './en-chat.ts'
import type { DigestLabels } from './en-digests.ts'
import type { ModelLabels } from './en-models.ts'
import type { ScheduleLabels } from './en-schedules.ts'

/** `Gmail (ada@example.com)`. */
export function withAccount(provider: string, account: string | null): string {
  return account ? `${provider} (${account})` : provider
}

/** The English labels of the integration settings: only their page loads them. */
export const englishIntegrations = {
  forAgents: 'For your agents',
  languageModels: 'Language models',
  theAccount: 'The account',
  notAllowed: 'You didn’t allow access, so nothing was connected.',
  notConnectedBack: (name: string) => `${name} couldn’t be connected. Try again.`,
  connectedBack: (provider: string, account: string | null) =>
    `Connected to ${withAccount(provider, account)}.`,

  connect: 'Connect',
  connectAnother: 'Connect another',
  /** Before the names of others that do the same. */
  connectInstead: 'Or connect:',
  notConnected: 'Not connected',
  notSetUp: 'Not set up here',
  notSetUpNote: 'Ask the people who run this app.',
  noSignIn: (why: string) => `Signing in with Google isn’t set up here. ${why}`,
  connected: (provider: string, account: string | null) =>
    `Connected to ${withAccount(provider, account)}. Anything waiting for it will continue or ask you first.`,
  alreadyConnected: (provider: string) => `${provider} is already connected. Nothing new was stored.`,

  connectTo: (provider: string) => `Connect ${provider}`,
  changeOf: (provider: string) => `Change ${provider}`,
  getKey: 'Get a key',
  connectionName: 'Name of this connection',
  connectionExample: 'Work',
  nameTaken: 'Another connection already has this name. Choose a different one.',
  secretStored: 'Stored. Leave empty to keep it.',
  testing: 'Testing …',
  save: 'Save',
  cancel: 'Cancel',

  works: 'Works',
  signInBy: (day: string) => `Sign in again by ${day}`,
  signInSoon: 'Sign in again soon',
  signInAgain: 'Sign in again',
  broken: 'Not working',
  off: 'Switched off',
  lastUsed: (moment: string) => `last used ${moment}`,
  test: 'Test',
  providerWorks: (provider: string) => `${provider} works.`,
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  switchedOn: 'Switched on. Anything waiting for it will continue or ask you first.',
  switchedOff: 'Switched off. Your agents no longer use it.',
  reconnect: 'Reconnect',
  change: 'Change',
  allowedThings: (things: string) => `You allowed: ${things}.`,
  usedFor: (tools: string) => `Tools: ${tools}`,
  missing: (count: number) => `Not allowed yet: ${count === 1 ? 'one thing' : `${count} things`}`,
  allow: 'Allow',
  allowThis: (what: string) => `Allow: ${what}`,
  details: 'Details',
  /** Names that the server itself gives to accounts and connections. */
  given: { simulated: 'simulated', 'Local inbox': 'Test inbox' },
  secrets: 'Passwords and keys',
  secretsNote: 'stored encrypted, never shown',

  disconnect: 'Disconnect',
  disconnectQuestion: (provider: string, account: string | null) =>
    `Disconnect ${withAccount(provider, account)}?`,
  keepIt: 'Keep it',
  modelsStop: 'Agents whose model needs this key will stop answering.',
  toolsStop: (tools: string) => `Your agents will no longer be able to use ${tools}.`,
  othersUsed: 'Your agents will use your other connections.',
  noneUsesIt: 'No agent uses it.',
  accessEnds: (provider: string) =>
    `Everything stored for it will be deleted, and its access to ${provider} will be revoked.`,
  keyNeeded: 'Everything stored for it will be deleted. You’ll need the key or password to connect it again.',
  disconnected: 'Disconnected.',
  lost: (agent: string, tools: string) => `${agent} can no longer use ${tools}.`,
  removeThere: (provider: string) => `Also remove the app from your ${provider} account.`,

  order: 'Order of use',
  orderOf: (what: string) => `Order: ${what}`,
  modelsOrder: 'language models',
  modelsOrderNote: 'Agents without a model of their own use the first key.',
  orderNote: (tools: readonly string[]) =>
    `For ${tools.map((tool) => `“${tool}”`).join(' and ')}: the first one is used; the others step in if it fails.`,
  moveUp: 'Move up',
  moveUpThis: (name: string) => `Move up: ${name}`,

  /** What happens without asking. */
  unasked: {
    nothing: 'Nothing. Your agents ask you first.',
    standing: 'Always allowed',
    standingNote:
      'Who your agents may send to without asking. They still ask before sending anything again, and after reading anything you didn’t write.',
    never: 'Tools that never ask',
    neverNote:
      'What your agents do without asking. They still ask before doing anything again, and after reading anything you didn’t write.',
    tokens: 'Tokens',
    tokensNote: 'Apps that use your agents with a token. What needs your approval still waits for it here.',
    schedulesNote:
      'What your agents begin by themselves, at set times. What needs your approval still waits for it here.',
    runs: (count: string, isOne: boolean) => (isOne ? 'ran once' : `ran ${count} times`),
    neverRan: 'never ran',
    lastRan: (moment: string) => `last ran ${moment}`,
    links: 'Links that decide',
    linksNote: 'Whoever has one of these links can decide this one thing without signing in.',
    since: (day: string) => `since ${day}`,
    ownRule: 'by default',
    uses: (count: string, isOne: boolean) => (isOne ? 'used once' : `used ${count} times`),
    neverUsed: 'never used',
    inWindow: {
      minute: (used: string, max: string) => `${used} of ${max} this minute`,
      hour: (used: string, max: string) => `${used} of ${max} this hour`,
      day: (used: string, max: string) => `${used} of ${max} today (UTC)`,
    },
    expiresOn: (day: string) => `expires on ${day}`,
    expiredOn: (day: string) => `expired on ${day}`,
    allAgents: 'all agents',
    deletedAgent: 'a deleted agent',
    revoke: 'Revoke',
    revokeThis: (what: string) => `Revoke: ${what}`,
    revoked: (what: string) => `Revoked: ${what}`,
    revokeQuestion: (token: string) => `Revoke “${token}”?`,
    revokeNote: 'Anything that uses it will be refused. This can’t be undone.',
    paused: (what: string) => `Paused: ${what}`,
    resumed: (what: string) => `Resumed: ${what}`,
    askFirst: 'Ask first',
    askFirstThis: (tool: string) => `Ask first: ${tool}`,
    asksFirst: (tool: string) => `From now on, you’ll be asked first: ${tool}.`,
  },
}

export type IntegrationLabels = typeof englishIntegrations

/** All labels of a language; TypeScript reports a missing one. */
export type AllLabels = Labels & {
  integrations: IntegrationLabels
  chat: ChatLabels
  models: ModelLabels
  schedules: ScheduleLabels
  digests: DigestLabels
  apps: AppLabels
}
