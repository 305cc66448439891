import { firstEnglish } from './en-first.ts'
import type { Said } from './said.ts'
import type { Providers, Scopes, Tools } from './tools.ts'

/**
 * Everything that the pieces say, in English. A label is a text, or a function of what it is about; what stands in an
 * app beside them is the app's own. Another language is another file of this shape.
 */
export const english = {
  ...firstEnglish,

  /** What the server says, by code, where it is not English: docs/sentences.md. */
  said: {} as Said,
  /** Our own tools, by name. Those of others stay as their authors have them. */
  tools: {} as Tools,
  /** What can be connected, and what sign-ins allow, by id. */
  providers: {} as Providers,
  scopes: {} as Scopes,
  /** What values stand in, in sentences. */
  quotes: ['“', '”'] as [string, string],
  alsoNeeded: (fields: string) => `Also needed: ${fields}.`,

  // What was found, and what is open.
  youSaid: (words: string) => `You: ${words}`,
  archived: 'Archived',
  waitingForYou: 'Waiting for you',
  answering: (question: string) => `Answering: ${question}`,
  waitingForApproval: (what: string) => `Waiting for your approval: ${what}`,
  waitingForConnection: (what: string) => `Waiting for a connection: ${what}`,
  waitingToConnect: (provider: string) => `Waiting for you to connect ${provider}`,
  andMore: (count: number) => `and ${count} more`,

  // Messages.
  conversation: 'Conversation',
  you: 'You',
  answer: 'Answer',
  working: 'Working',
  workingOn: 'Working …',
  thinking: 'Thinking …',
  thoughts: 'Thoughts',
  sources: 'Sources',
  moreSources: (count: number) => `${count} more`,
  showEarlier: 'Show earlier messages',
  loadingEarlier: 'Loading earlier messages …',
  messageUnshown: 'This message couldn’t be shown.',
  doneBefore: (what: string) => `Done before: ${what}`,
  attachedPicture: 'Attached picture',
  attachedFile: 'Attached file',

  // Cards.
  approvalNeeded: 'Approval needed',
  connectionNeeded: 'Connection needed',
  approve: 'Approve',
  deny: 'Deny',
  edit: 'Edit',
  skip: 'Skip',
  keepAsDraft: 'Keep as draft',
  addReason: 'Add a reason',
  reasonForDenying: 'Reason for denying',
  moreFields: 'More',
  connect: (provider: string) => `Connect ${provider}`,
  connectInSettings: 'Connect in settings',
  continueOnceConnected: 'I’ll continue once you’ve connected.',
  sendAnswer: 'Send answer',
  sending: 'Sending …',
  soFar: 'So far',
  emailSoFar: 'Email so far',
  tryingAgainIn: (time: string) => `Trying again in ${time}`,
  tryingAgainSoon: 'Trying again in a moment',

  askedWhen: (when: string) => `Asked ${when}`,
  expiresWhen: (when: string) => `Expires ${when}`,
  expiredWhen: (when: string) => `Expired ${when}`,
  justNow: 'just now',

  // Several approvals at once.
  approvals: (count: number) => `${count} approvals`,
  approveSome: (count: number) => `Approve ${count}`,
  approveAll: (count: number) => `Approve all ${count}`,
  denySome: (count: number) => `Deny ${count}`,
  denyAll: (count: number) => `Deny all ${count}`,
  isBeingEdited: 'You’re editing this one. Send it below.',

  // Receipts.
  youAnswered: 'You answered',
  youApproved: 'You approved',
  youDenied: 'You denied this',
  youKeptDraft: 'You kept a draft',
  youSkipped: 'You skipped this',
  alreadyDecided: 'This was already decided',

  // What a call holds.
  noValues: 'Nothing',
  accountToBeAsked: 'You’ll be asked which account',
  letterText: 'Text',
  letterLook: 'As it looks',
  mailLook: 'The mail as it will look',
  mailLookUnshown: 'This mail cannot be shown with its formatting.',
  mailSource: 'Source',
  inAll: (count: number) => `${count} in all:`,
  theOther: (count: number) => `The other ${count}`,
  attachments: 'Attachments',
  fileElsewhere: 'A file that is not in this conversation',
  tooDeep: '(nested too deeply to be shown)',
  directionReversed: 'text direction reversed',
  invisibleCharacter: 'invisible character',
  mixedAlphabets: 'mixed alphabets',

  // Forms.
  optional: '(optional)',
  choose: 'Choose …',
  yes: 'Yes',
  no: 'No',
  noItems: 'None',
  example: (value: string) => `Example: ${value}.`,
  isMissing: (field: string) => `${field} is missing.`,
  isInvalid: (field: string) => `${field} isn’t valid.`,
  isTooLong: (field: string, most: string) => `${field} can have up to ${most} characters.`,
  isIncompleteEmail: (value: string) => `“${value}” isn’t a complete email address.`,
  isNoNumber: (value: string) => `“${value}” isn’t a valid number.`,
  mustBeWebAddress: (field: string) => `${field} must be a web address, such as https://example.com.`,
  mustBeNumber(field: string, { isWhole, least, most }: { isWhole: boolean; least?: string; most?: string }) {
    const noun = isWhole ? 'a whole number' : 'a number'
    if (least !== undefined && most !== undefined) return `${field} must be ${noun} from ${least} to ${most}.`
    if (least !== undefined) return `${field} must be ${noun} of at least ${least}.`
    return most === undefined ? `${field} must be ${noun}.` : `${field} must be ${noun} of at most ${most}.`
  },

  // Calls in a line, and unfolded.
  callRunning: 'working',
  callDone: 'done',
  callFailed: 'did not work',
  callAsks: 'waits for you',
  callWaits: 'waits',
  callNotDone: 'not done',
  partsFailed: (failed: number, total: number) => `${failed} of ${total} failed`,
  thingsRepaired: (count: number) => (count === 1 ? 'one thing repaired' : `${count} things repaired`),
  callsDone: (count: number) => `${count} done`,
  callsPartlyDone: (count: number) => `${count} in part`,
  callsFailed: (count: number) => `${count} failed`,
  askedThenChanged: (asked: string, changes: string) => `“${asked}” → ${changes}`,
  asked: (question: string) => `“${question}”`,
  correctedCall: 'Corrected call',
  corrected: 'corrected',
  correctedItself: 'corrected itself',
  whatChanged: 'What changed',
  changedValue: 'Value',
  firstAttempt: 'First attempt',
  lastAttempt: 'Last attempt',
  correctedAttempt: 'Corrected',
  openResult: 'Open',
  input: 'Input',
  result: 'Result',
  nothingFound: 'Nothing was found.',
  fixedAutomatically: 'Fixed automatically',
  lessThan: (time: string) => `< ${time}`,
  seconds: (seconds: string) => `${seconds} s`,
  minutes: (minutes: string, seconds: string) => `${minutes} min ${seconds} s`,
  hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  /** What was mended in a call without asking, by the rule. */
  repairs: {
    'as-before': 'taken from the earlier question',
    bad_escape: 'a wrongly written character',
    'blank-arguments': 'left empty, since nothing is needed',
    boolean: 'read as yes or no',
    code_fence: 'taken out of a code block',
    comment: 'a comment removed',
    doubled_comma: 'an extra comma',
    'enum-spelling': 'spelled like the allowed value',
    extra_closer: 'an extra bracket',
    'json-text': 'read from text',
    'null-removed': 'left out, because it was empty',
    number: 'read as a number',
    odd_blank: 'an unusual space',
    'one-item-array': 'turned into a list of one',
    'parameter-name': 'sent under another name',
    python_literal: 'yes, no or nothing written differently',
    raw_line_break: 'a line break inside text',
    repeated_key: 'a field given twice',
    single_quotes: 'the wrong quotes',
    surrounding_prose: 'taken out of the text around it',
    'tool-name': 'the tool’s name',
    trailing_comma: 'an extra comma',
    unquoted_key: 'missing quotes around a name',
    'wrapper-removed': 'unwrapped',
    'written-as-text': 'read from the answer’s text',
  },
}

/** All labels of one language: none can be forgotten. */
export type Labels = typeof english
