import type { Done } from '../../words/fill-template.ts'
import { sayForm } from '../../words/form-words.ts'
import type { Language } from '../../words/language.ts'
import { english } from '../../words/languages/english.ts'
import { doneFor, isEnglish, sayTo } from '../../words/languages/in-english.ts'
import { sayOwn, toolOf } from '../../words/say.ts'
import type { SentenceCode } from '../../words/sentence-codes.ts'
import type { ToolWords } from '../../words/tool-words.ts'
import type { Said } from '../core/asked.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { once } from '../core/once.ts'
import type { Permission } from '../core/permission.ts'
import type { Repair } from '../core/repair.ts'
import type { Change } from '../core/seen.ts'
import type { ServerQuestion } from '../core/server-question.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { withoutNothing } from '../core/without-nothing.ts'
import { type WordedError, withWords } from '../wording/question-for-people.ts'
import { titleOf } from '../wording/tool-title.ts'
import { textOfEnd } from './end-text.ts'
import type { Call, Entry, OwnText, QuestionEntry, Result, RunEnd, RunStatus } from './entry.ts'
import { openFields } from './open-fields.ts'
import { canBeApproved, foldItems } from './open-items.ts'
import { inputsIn, sayTexts } from './own-words.ts'
import { changedValues, wordsOfQuestion } from './question-words.ts'
import { fieldsOf, serverForm } from './server-form.ts'
import { beginsTurn } from './turn-start.ts'

/** One invocation as the answer shows it, in order of the calls. */
export interface ToolUse {
  toolCallId: string
  toolName: string
  /** Shared by the attempts at one thing. */
  intent: number
  attempt: number
  /** Executions of it; 0 if it was refused before. */
  tries: number
  input: unknown
  ok: boolean
  output?: unknown
  error?: ToolError
  repairs?: Repair[]
  /** What it did, in one line for people. */
  summary?: string
  /** ISO 8601. */
  startedAt: string
  durationMs: number
}

/** The same with what its summary tells of it, which is said when it is read. */
export interface EndedCall extends ToolUse {
  done?: Done
}

/** Whom the run waits for, and with which question. */
export interface Pending {
  type: QuestionEntry['kind']
  itemId: string
  /** For an approval, or a form that is one too: identifies this very question. */
  approvalId?: string
  reason?: QuestionEntry['reason']
  intent: number
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601. */
  expiresAt?: string
  toolCallId: string
  toolName: string
  /** The tool's title. */
  title: string
  /** Identifies the question, with the values in it: for clients that translate it. */
  code: SentenceCode
  codeValues?: Record<string, unknown>
  asked: string
  /** What to enter, or why it is asked. */
  hint?: string
  /** Titles of the other missing fields. */
  alsoNeeded?: string[]
  /** The whole sentence. */
  question: string
  /** For an approval, or a form that is one too: what will be done, and the verb on its button. */
  confirm?: string
  /** The same as a statement. */
  statement?: string
  button?: string
  /** What it is then: `sent`. */
  past?: string
  /** The account that a mail is sent from. */
  account?: string
  /** For a form that is an approval too: why, for clients that translate it. */
  why?: Said
  /** Other calls of the tool that still wait: one sentence for each, which `hint` and `question` end with. */
  stillWaiting?: OwnText[]
  /** The standing permission that a yes may come with, and the sentence that says it. */
  remember?: Permission & { sentence: string }
  /** Schema of the open fields: the `values` of an answer have its shape. */
  schema?: JsonSchema
  /** What has changed since it was asked before: nothing was done. `question` says it, too. */
  changed?: Change[]
  /** The same in a sentence. */
  changedSentence?: string
  /** A server of MCP asks it, before it goes on with the call: the answer is for that server alone. */
  server?: AskingServer
  /** The known values of the call. */
  values?: Record<string, unknown>
  href?: string
  /** ISO 8601, for `wait`. */
  resumeAt?: string
}

/** The server of a question, and its words: they are a quotation, in plain text. */
export interface AskingServer {
  host: string
  requests: {
    message: string
    /** The names of its fields in `schema`, whose `default` it proposes. */
    fields: string[]
    /** The page that it asks to open first, instead of fields. */
    url?: string
  }[]
}

export interface RunUsage {
  inputTokens: number
  outputTokens: number
  modelCalls: number
}

/** What a client is told when a run has ended or waits. */
export interface Answer {
  status: RunStatus
  /** Never empty. */
  text: string
  toolsUsed: (Omit<ToolUse, 'error'> & { error?: WordedError })[]
  usage: RunUsage
  pending?: Pending[]
}

/**
 * The answer of a transcript, in a language: everything since the previous answer, or since the user's message.
 * `tools` by name: forms are made from their schemas. A transcript whose run has no end is `failed`.
 */
export function projectAnswer(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language = english,
): Answer {
  const last = entries.findLastIndex(({ type }) => type === 'run-end')
  const end = entries[last]
  const before = last < 0 ? entries : entries.slice(0, last)
  const own = once(() => sinceRunEnd(before))
  const text = once(() => {
    const said = end?.type === 'run-end' && textOfEnd(sayEnd(language, end, before, tools), lastText(entries))
    return said || sayOwn(language, { code: 'stopped_early' })
  })
  const toolsUsed = once(() =>
    projectToolUses(own()).map(({ error, done, ...use }) => ({
      ...use,
      error: error && withWords(error),
      ...withoutNothing({ summary: summaryOf({ ...use, done }, tools, language) }),
    })),
  )
  const usage = once(() => projectUsage(own()))
  const pending = once(() => {
    const open = last < 0 ? [] : listPending(entries)
    const calls = new Set(open.map(({ toolCallId }) => toolCallId))
    return open.length > 0 ? open.map((one) => describePending(one, tools, language, calls)) : undefined
  })
  // Nobody needs all of it: the parts are made when they are read.
  return {
    status: end?.type === 'run-end' ? end.status : 'failed',
    get text() {
      return text()
    },
    get toolsUsed() {
      return toolsUsed()
    },
    get usage() {
      return usage()
    },
    get pending() {
      return pending()
    },
  }
}

function sayEnd(
  language: Language,
  end: RunEnd,
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): { text?: string | undefined; ours: OwnText[] } {
  return { text: end.text, ours: sayTexts(language, end.ours, inputsIn(entries), tools) }
}

/** The entries after the last run that ended, or after the user's message. */
export function sinceRunEnd(entries: readonly Entry[]): readonly Entry[] {
  const before = entries.findLastIndex((entry) => entry.type === 'run-end' || beginsTurn(entry))
  return entries.slice(before + 1)
}

/** Every call that ended, in the order in which they started: in a round reads come first. */
export function projectToolUses(entries: readonly Entry[]): EndedCall[] {
  const made: { call: Call; round: number; result?: Result }[] = []
  const latest = new Map<string, (typeof made)[number]>()
  let round = 0
  for (const entry of entries) {
    if (entry.type === 'step-start' || entry.type === 'run-start') round++
    else if (entry.type === 'call') {
      const one = { call: entry, round }
      made.push(one)
      latest.set(entry.toolCallId, one)
    } else if (entry.type === 'result') {
      const one = latest.get(entry.toolCallId)
      if (one) one.result = entry
    }
  }
  made.sort((a, b) => a.round - b.round || rank(a.call) - rank(b.call))
  return made.flatMap(({ call, result }) => (result ? [describeUse(call, result)] : []))
}

function rank({ effect }: Call): number {
  return effect === 'read' ? 0 : 1
}

/** What a call did, in one line; undefined if its tool says nothing of it, or it was done before. */
export function summaryOf(
  { toolName, input, output, done, summary }: SummedUp,
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language,
): string | undefined {
  // An older release has stored its English words.
  if (done === undefined && (summary === undefined || isEnglish(language))) return summary
  // What only the words of another language show is read from the output itself.
  const shown = isObject(output) ? { ...output, ...done?.output } : done?.output
  const said = doneFor(language, toolName, {
    tool: tools.get(toolName),
    input: isObject(input) ? input : {},
    done: { ...done, ...withoutNothing({ output: shown }) },
  })
  return said ?? summary
}

/** What a summary is made of. */
interface SummedUp {
  toolName: string
  input: unknown
  output?: unknown
  done?: Done | undefined
  summary?: string | undefined
}

function describeUse(call: Call, { result, done, summary, tries, durationMs }: Result): EndedCall {
  return {
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    intent: call.intent,
    attempt: call.attempt,
    tries,
    input: call.input,
    ok: result.ok,
    ...(result.ok ? { output: result.data } : { error: result }),
    repairs: call.repairs.length > 0 ? call.repairs : undefined,
    ...withoutNothing({ done, summary }),
    startedAt: call.startedAt,
    durationMs,
  }
}

/** The usage of all model replies, including those that a tool asked for. */
function projectUsage(entries: readonly Entry[]): RunUsage {
  const usage: RunUsage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 }
  for (const entry of entries) {
    if (entry.type !== 'step-end' && entry.type !== 'tool-model-call') continue
    usage.modelCalls++
    usage.inputTokens += entry.usage.inputTokens
    usage.outputTokens += entry.usage.outputTokens
  }
  return usage
}

/** The open items: those of the last turn first, then older ones. */
function listPending(entries: readonly Entry[]): QuestionEntry[] {
  const items = [...foldItems(entries).values()]
  const turn = entries.findLastIndex(beginsTurn)
  const own = items.filter((item) => item.turn === turn)
  const others = items.filter((item) => item.turn !== turn)
  return [own, others].flatMap((some) => some.map(({ question }) => question).sort(byIntent))
}

/** In the order of the calls: of calls that run side by side, any may be the first that asks. */
export function byIntent(a: Pick<QuestionEntry, 'intent'>, b: Pick<QuestionEntry, 'intent'>): number {
  return a.intent - b.intent
}

/**
 * A question as clients see it, in a language. `open`: what it may say of that it still waits; all that it was asked with
 * by default.
 */
export function describePending(
  item: QuestionEntry,
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language,
  open?: ReadonlySet<string>,
): Pending {
  const {
    kind,
    itemId,
    intent,
    askedAt,
    toolCallId,
    toolName,
    arguments: args,
    open: missing,
    choices,
    remember,
    server,
  } = item
  const tool = tools.get(toolName)
  const own = toolOf(language, toolName)
  const title = own?.title ?? (toolName === '' ? '' : titleOf(tool ?? { name: toolName }))
  const words = wordsOfQuestion(item, tools, language)
  const waiting = (item.stillWaiting ?? [])
    .filter(({ toolCallId }) => open?.has(toolCallId) ?? true)
    .map((said) => ({ ...said, text: sayTo(language, said, { tool })?.asked ?? title }))
  const others = waiting.map(({ text }) => text)
  const { code, codeValues, account, why, href, resumeAt, reason, expiresAt, changed } = item
  const { asked, alsoNeeded, confirm, statement, button, past } = words
  const hint = [words.hint, ...others].filter(Boolean).join(' ')
  const known = {
    codeValues,
    hint: hint === '' ? undefined : hint,
    stillWaiting: waiting.length > 0 ? waiting : undefined,
    alsoNeeded,
    confirm,
    statement,
    button,
    past,
    account,
    why,
    href,
    resumeAt,
    reason,
    expiresAt,
    changed,
    changedSentence: changed && sayOwn(language, { code: 'changed', values: changedValues(item) }),
  }
  return {
    type: kind,
    itemId,
    toolCallId,
    toolName,
    title,
    intent,
    code,
    asked,
    question: [words.question, ...others].join(' '),
    ...(canBeApproved(item) ? { approvalId: itemId } : {}),
    ...(kind === 'input' && !server
      ? formOf(openFields(tool?.parameters ?? {}, args, missing, choices), own)
      : { values: args }),
    ...(server ? { server: describeServer(server), schema: serverForm(server) } : {}),
    ...withoutNothing(known),
    ...(remember
      ? { remember: { ...remember, sentence: language.offerPermission({ ...remember, tool: title }) } }
      : {}),
    askedAt,
  }
}

function describeServer({ host, requests }: ServerQuestion): AskingServer {
  return {
    host,
    requests: requests.map((request) => ({
      message: request.message,
      fields: fieldsOf(requests, request).map(({ path }) => path),
      ...withoutNothing({ url: request.url }),
    })),
  }
}

function formOf(form: ReturnType<typeof openFields>, own: ToolWords | undefined): typeof form {
  return own ? { ...form, schema: sayForm(own, form.schema) } : form
}

function lastText(entries: readonly Entry[]): string {
  const last = entries.findLast((entry) => entry.type === 'model-text')
  return last?.type === 'model-text' ? last.text : ''
}
