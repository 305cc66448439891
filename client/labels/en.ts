import type { PermissionTerms, PermissionWords } from '../api/permission.ts'
import { capitalise } from '../values/capitalise.ts'
import { shorten } from '../values/sentence.ts'
import { englishFiles } from './en-files.ts'
import { firstEnglish } from './en-first.ts'

const perSpan = { minute: 'a minute', hour: 'an hour', day: 'a day' }

/**
 * The English labels of the components. A label is a text, or a function of its values; the app's own texts are the
 * app's business. To add a language, add a file like `de.ts`.
 */
export const english = {
  ...firstEnglish,
  ...englishFiles,

  /** The quotation marks around names. */
  quotes: ['“', '”'] as [string, string],

  // Search results and open items.
  youSaid: (words: string) => `You: ${words}`,
  archived: 'Archived',
  waitingForYou: 'Waiting for you',
  answering: (question: string) => `Answering: ${question}`,
  waitingForApproval: (what: string) => `Waiting for your approval: ${what}`,
  /** Others approve it. */
  waitingForGroup: (group: string, what: string) => `Waiting for ${group}: ${what}`,
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
  doneBefore: (what: string) => `Done earlier: ${what}`,
  attachedPicture: 'Attached picture',
  attachedFile: 'Attached file',

  // Cards.
  approvalNeeded: 'Approval needed',
  connectionNeeded: 'Connection needed',
  approve: 'Approve',
  confirmWith: (button: string) => `Confirm with “${button}”.`,
  deny: 'Deny',
  edit: 'Edit',
  /** The heading of a card that is being edited. */
  approveOutside: 'Open to approve',
  inFrame:
    'This page is shown inside another site, which could cover parts of it. You approve in a window of its own.',
  editFirst: 'Edit before you approve',
  skip: 'Skip',
  keepAsDraft: 'Keep as draft',
  addReason: 'Add a reason',
  reasonForDenying: 'Reason for denying',
  /** Approves the call, too. */
  alwaysAllow: ({ path }: Pick<PermissionWords, 'path'>): string =>
    path === 'to' ? 'Always allow, and send now' : 'Always allow, and do it now',
  changePermission: 'Change this permission',
  permission: ({ path, tool, pattern, max, per }: PermissionWords) =>
    `May ${path === 'to' ? `send to ${pattern}` : `use “${tool}” with ${pattern}`}, ${max} ${perSpan[per]}, without asking.`,
  offerPermission: ({ path, tool, pattern, max, per }: PermissionWords) =>
    `Let this agent ${path === 'to' ? `send to ${pattern}` : `use “${tool}” with ${pattern}`} without asking, up to ${max} ${perSpan[per]}?`,
  permittedWhom: 'To whom',
  permittedWhomNote: 'An address, or *@example.com for every address at that domain.',
  isNoPattern: (value: string) => `“${value}” is neither an email address nor *@ and a domain.`,
  permittedMax: 'How often',
  permittedPer: 'Period',
  perSpan,
  moreFields: 'More',
  connect: (provider: string) => `Connect ${provider}`,
  connectInSettings: 'Connect in settings',
  continueOnceConnected: 'Opens in a new tab. I’ll continue once you’ve connected.',
  sendAnswer: 'Send answer',
  /** A server of MCP that asks something, by its host. */
  serverAsks: (host: string) => `${host} asks:`,
  proposedBy: (host: string) => `Proposed by ${host}`,
  openPage: (host: string) => `Open ${host}`,
  /** The user has been on that page. */
  pageDone: 'Done',
  dontOpen: 'Don’t',
  dontAnswer: 'Don’t answer',
  sending: 'Sending …',
  soFar: 'So far',
  tryingAgainIn: (time: string) => `Trying again in ${time}`,
  tryingAgainSoon: 'Trying again in a moment',

  /** `app`: as it calls itself. */
  declinedIn: (app: string) => `Declined in ${app}`,
  askedWhen: (when: string) => `Asked ${when}`,
  expiresWhen: (when: string) => `Expires ${when}`,
  expiredWhen: (when: string) => `Expired ${when}`,
  justNow: 'just now',

  // Several approvals at once.
  approvals: (count: number) => (count === 1 ? '1 approval' : `${count} approvals`),
  allDecided: 'All decided',
  selectAll: 'Select all',
  approveSome: (count: number) => `Approve ${count}`,
  approveAll: (count: number) => (count === 2 ? 'Approve both' : `Approve all ${count}`),
  denySome: (count: number) => `Deny ${count}`,
  denyAll: (count: number) => (count === 2 ? 'Deny both' : `Deny all ${count}`),
  isUnread: 'Something else was here a moment ago. Read this, then press again.',
  /** Opens everything that a row would do. */
  wholeCall: 'Show all of it',
  isBeingEdited: 'You’re editing this one. Approve it below.',

  // Receipts.
  youAnswered: 'You answered',
  youApproved: 'You approved',
  /** The permission that came with an approval. */
  youAllowed: ({ pattern, max, per }: PermissionTerms) =>
    `Allowed without asking from now on: ${pattern}, ${max} ${perSpan[per]}.`,
  /** The page of that and all else like it. */
  tookBack: ({ pattern }: PermissionTerms) => `Permission taken back: you’ll be asked again for ${pattern}.`,
  takeBack: 'Take back',
  withoutAsking: 'What happens without asking',
  /** What was done, in the word of its tool, and nobody was asked about. */
  doneUnasked: (past = 'done') => `${capitalise(past)} without asking`,
  /** What was denied, in the word of its tool. */
  youDenied: (past = 'done') => `Not ${past}`,
  notDone: (past = 'done') => `Not ${past}`,
  deniedCall: (call: string, past = 'done') => `Not ${past}: ${call}`,
  youKeptDraft: 'You kept a draft',
  youSkipped: 'You skipped this',
  /** By the answer that came first, if it is known. */
  alreadyDecided: {
    answer: 'Already answered',
    approve: 'Already approved',
    deny: 'Already denied',
    draft: 'Already kept as a draft',
    skip: 'Already skipped',
    late: 'Already decided',
  },

  // An open item on a page of its own.
  openItem: {
    title: 'Waiting for you',
    asks: (agent: string) => `${agent} asks`,
    somebodyAsks: 'An agent asks',
    madeFor: (name: string) => `For ${name}`,
    alreadyDecided: (how: string) => `Already decided: ${how}`,
    /** By how it was closed. */
    how: {
      answer: 'answered',
      approve: 'approved',
      deny: 'denied',
      draft: 'kept as a draft',
      skip: 'skipped',
      connect: 'connected',
      expired: 'it has expired',
      replaced: 'it was asked again, in the conversation',
      yielded: 'it was asked again, in the conversation',
      stop: 'it was stopped',
      message: 'it is no longer needed',
      gone: 'its server was removed',
    } as Readonly<Record<string, string>>,
    decidedBy: (how: string, who: string) => `${how} by ${who}`,
    aLink: 'a link',
    outcomes: {
      working: 'Working …',
      done: 'Done.',
      not_done: 'Nothing was done.',
      failed: 'It didn’t work.',
      unknown: 'It may have been done. There’s more in the conversation.',
      asked_again: 'There is another question about it, in the conversation.',
    },
    signInFirst: 'Sign in to decide this.',
    otherAccount: 'This is for another account. Sign in with that one to decide it.',
    signIn: 'Sign in',
    framed: 'This can’t be decided inside another page.',
    openAlone: 'Open it on its own',
  },

  // The contents of a call.
  noValues: 'Nothing',
  accountToBeAsked: 'You’ll be asked which account',
  letterText: 'Text',
  letterLook: 'Preview',
  mailLook: 'Email preview',
  mailLookUnshown: 'This email can’t be shown with its formatting.',
  mailSource: 'Source',
  inAll: (count: number) => `${count} in all:`,
  theOther: (count: number) => `The other ${count}`,
  attachments: 'Attachments',
  fileElsewhere: 'A file that isn’t in this conversation',
  tooDeep: '(nested too deeply to show)',
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
  isMissing: (field: string) => `${field} is required.`,
  /** Without its value, if that is secret. */
  isInvalid: (field: string, value?: string) =>
    value === undefined ? `${field} isn’t valid.` : `${field}: “${shorten(value, 60)}” isn’t valid.`,
  isTooLong: (field: string, most: string) => `${field} can have up to ${most} characters.`,
  isIncompleteEmail: (value: string) => `“${value}” isn’t a complete email address.`,
  isNoNumber: (value: string) => `“${value}” isn’t a valid number.`,
  hasTooManyDigits: (value: string) => `${value} has more digits than can be kept exactly here.`,
  mustBeWebAddress: (field: string, value: string) =>
    `${field} must be a web address, such as https://example.com, not “${shorten(value, 60)}”.`,
  mustBeNumber(field: string, { isWhole, least, most }: { isWhole: boolean; least?: string; most?: string }) {
    const noun = isWhole ? 'a whole number' : 'a number'
    if (least !== undefined && most !== undefined) return `${field} must be ${noun} from ${least} to ${most}.`
    if (least !== undefined) return `${field} must be ${noun} of at least ${least}.`
    return most === undefined ? `${field} must be ${noun}.` : `${field} must be ${noun} of at most ${most}.`
  },

  // Calls, as one line and expanded.
  callRunning: 'working',
  callDone: 'done',
  callFailed: 'didn’t work',
  callUnknown: 'may have been done',
  callAsks: 'waiting for you',
  callWaits: 'waiting',
  callNotDone: 'not done',
  partsFailed: (failed: number, total: number) => `${failed} of ${total} failed`,
  thingsRepaired: (count: number) => (count === 1 ? 'one thing repaired' : `${count} things repaired`),
  callsDone: (count: number) => `${count} done`,
  callsPartlyDone: (count: number) => `${count} in part`,
  callsFailed: (count: number) => `${count} failed`,
  askedThenChanged: (asked: string, changes: string) => `“${asked}” → ${changes}`,
  asked: (question: string) => `“${question}”`,
  correctedCall: 'Corrected call',
  selfCorrected: 'self-corrected',
  whatChanged: 'What changed',
  changedValue: 'Value',
  firstAttempt: 'First attempt',
  lastAttempt: 'Last attempt',
  correctedAttempt: 'Corrected',
  changedByYou: 'changed by you',
  whatYouChanged: 'What you changed',
  onTheCard: 'On the card',
  yourChange: 'Your change',
  openResult: 'Open',
  input: 'Input',
  result: 'Result',
  /** What tools often return, by its name in their output. */
  outputs: {
    accepted: 'Accepted for',
    document_id: 'Document ID',
    draft_id: 'Draft ID',
    from: 'From',
    message_id: 'Message ID',
    messageId: 'Message ID',
    thread_id: 'Thread ID',
    title: 'Title',
    url: 'Link',
    warning: 'Note',
  } as Readonly<Record<string, string>>,
  nothingFound: 'Nothing was found.',
  fixedAutomatically: 'Fixed automatically',
  lessThan: (time: string) => `< ${time}`,
  seconds: (seconds: string) => `${seconds} s`,
  minutes: (minutes: string, seconds: string) => `${minutes} min ${seconds} s`,
  hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  /** What was repaired in a call without asking, by rule. */
  repairs: {
    'as-before': 'taken from the earlier question',
    bad_escape: 'an invalid escape sequence',
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
    python_literal: 'yes, no or nothing in Python notation',
    raw_line_break: 'a line break inside text',
    repeated_key: 'a field given twice',
    single_quotes: 'the wrong quotes',
    surrounding_prose: 'taken out of the text around it',
    'tool-name': 'the tool’s name',
    trailing_comma: 'an extra comma',
    unquoted_key: 'missing quotes around a name',
    'wrapper-removed': 'unwrapped',
    'wrapper-added': 'wrapped',
    digits: 'written as text',
    'written-as-text': 'read from the answer’s text',
  },
}

/** The labels of everything but the integration settings, which have their own. */
export type Labels = typeof english
