import type { Said } from '../core/asked.ts'
import { clipText } from '../core/clip-text.ts'
import { formatPath, readPath } from '../core/json-path.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import {
  defaultResolver,
  isWholeToolError,
  type Problem,
  saidError,
  ToolCallError,
  type ToolError,
  type ToolErrorDetails,
  type ToolErrorType,
  toolError,
} from '../core/tool-error.ts'
import type { Effect, ToolSpecification } from '../core/tool-specification.ts'
import { type Fault, missingAt } from '../schema/find-faults.ts'
import { type CalledWith, declaredPlace, isOfTool, type Place } from '../schema/place.ts'
import { pickShape } from '../schema/resolve-schema.ts'
import { isSecretPlace, mentionsSecret } from '../schema/secret-place.ts'
import { askedPlace, questionFor } from '../wording/question-for.ts'
import { placeValues, toolValues } from '../wording/question-values.ts'
import { titleOf } from '../wording/tool-title.ts'
import { cleanReason } from './clean-reason.ts'
import { errorSentence, quotesNobody } from './error-sentence.ts'
import { noFacts, type Observation, observe } from './facts/observation.ts'
import { type HeadersLike, lookUpHeaders } from './facts/response-headers.ts'
import { waitOfHeaders, waitOfWords } from './facts/wait-time.ts'
import { isFaultOfPlace, mentionsPlace } from './foreign-place.ts'
import { hasFacts, judgeError, meaningOfCodes, reasonOfCode } from './judge-error.ts'
import { placeAskedFor, placeNamedIn } from './named-parameter.ts'
import { outcomeUnknown } from './outcome-unknown.ts'
import { restrictReturnedError } from './restrict-returned-error.ts'
import { neverConnected } from './tables/codes.ts'
import type { Verdict } from './tables/verdict.ts'
import { bugs, neverConnectedWords, outputSchemaFailures } from './tables/words.ts'
import { thingIn } from './thing.ts'
import { questionIn, sentenceIn } from './tool-question.ts'

export interface ErrorFacts {
  toolName?: string
  httpStatus?: number | null
  headers?: HeadersLike
  /** Body of the response: parsed JSON or text. */
  body?: unknown
  /** Of the tool that failed; `read` by default. */
  effect?: Effect
}

/** What the code that ran the tool also knows. */
export interface FailedCall extends ErrorFacts {
  tool: ToolSpecification
  args: Record<string, unknown>
  /** The tool threw it; otherwise its returned value says that it failed. */
  thrown: boolean
  /** The tool has announced that its effect was about to happen. */
  effectBegan: boolean
}

/**
 * Turns whatever came back or was thrown into a tool error: a question from a tool is kept word for word, otherwise
 * facts come first (codes, HTTP status, errno, `Retry-After`), words last. A write whose answer was lost is
 * `outcome_unknown`, unless the facts prove that it did not happen. A thrown ToolCallError is passed on unchanged; of any
 * other object of that shape only what a tool may say about itself. The result contains neither secrets nor stacks,
 * paths or status lines. Never throws.
 *
 * @example
 * classifyError({ ok: false, error: 'ratelimited' }, { toolName: 'post_message', headers: { 'retry-after': '7' } })
 * // => { ok: false, error: 'The service behind "Post message" allows no more calls right now. It can be tried again in 7 s.', errorType: 'rate_limit_exceeded', resolver: 'time', retryAfterMs: 7000, details: { asked: { code: 'rate_limit_exceeded', values: { tool: 'Post message', retryAfterMs: 7000 } } } }
 */
export function classifyError(cause: unknown, facts: ErrorFacts | FailedCall = {}): ToolError {
  const finished = findThrown(cause)
  if (finished) return finished.toolError
  const call = 'tool' in facts ? facts : undefined
  const said = findReturned(cause) ?? findReturned(facts.body)
  if (said) return classifyReturnedError(said, call)
  const observed = observe(cause, facts.body)
  addStatus(observed, facts.httpStatus ?? undefined)
  if (call)
    observed.problems = observed.problems.filter(({ parameter = '' }) => !isSecret(placeIn(call, parameter)))
  const question = observed.texts.map(questionIn).find((found) => found !== undefined)
  if (question !== undefined) return classifyQuestion(question, observed, facts)
  const header = lookUpHeaders(facts.headers, ...observed.headers)
  const text = observed.texts.join('\n')
  const waitMs = waitOfHeaders(header) ?? observed.waitMs ?? waitOfWords(text)
  const judged = call
    ? withoutForeignBlame(judgeError(observed, waitMs), observed, call)
    : judgeError(observed, waitMs)
  const thrown = call?.thrown ?? cause instanceof Error
  const isUnknown = mayHaveRun(judged, observed, thrown) || (call?.thrown && isValidation(cause))
  if (facts.effect === 'write' && isUnknown) return outcomeUnknownOf(facts)
  const place = judged && placeAtFault(judged, observed, call)
  if (!judged || (call && !hasFacts(observed) && isGroundless(judged, place)))
    return passOn(observed, facts, isBug(cause, observed))
  const error = describe(judged, place, observed, facts, waitMs)
  return call ? withAsker(error, call) : error
}

const maxCauses = 10

/** The ToolCallError that an exception is, or was caused by. */
export function findThrown(value: unknown): ToolCallError | undefined {
  let current = value
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (current instanceof ToolCallError) return current
    current = current.cause
  }
  return undefined
}

/** An object of our shape, directly, as text, or inside an exception or an MCP result. */
function findReturned(value: unknown): ToolError | undefined {
  if (isWholeToolError(value)) return value
  const text = value instanceof Error ? value.message : textOfContent(value)
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined
  const parsed = readJsonText(text)
  return isWholeToolError(parsed) ? parsed : undefined
}

/** `{ content: [{ type: 'text', text }] }`; anything else is returned unchanged. */
function textOfContent(value: unknown): unknown {
  const content = isObject(value) && Array.isArray(value.content) ? value.content : undefined
  return content ? content.find(isObject)?.text : value
}

function classifyReturnedError(said: ToolError, call: FailedCall | undefined): ToolError {
  const error = restrictReturnedError(
    said,
    (parameter) => !mentionsSecret(said.error) && (!call || isOwnPlace(placeIn(call, parameter))),
  )
  if (!call) return error
  const isServerFault = isOfTheServer(call.httpStatus ?? undefined)
  const isUnknown = isServerFault || call.effectBegan || error.errorType === 'timeout'
  if (call.effect === 'write' && isUnknown) return outcomeUnknownOf(call)
  const isRead = error.errorType === 'outcome_unknown' && call.effect !== 'write'
  const judged: ToolError = isRead ? { ...error, errorType: 'execution_error' } : error
  const asks = isMarked(said.error) && isAboutTheCall(judged)
  const isUnexplained = said.details.said === 'failure' && said.errorType === 'execution_error'
  const isNamed = !asks || judged.details.parameter !== undefined
  const place = isNamed
    ? undefined
    : placeAskedFor(quotesNobody(judged) ? '' : judged.error, calledWith(call))
  return {
    ...judged,
    details: {
      ...judged.details,
      ...parameterOf(place),
      ...(asks ? { said: 'question' } : isUnexplained ? { said: 'failure' } : {}),
      asker: titleOf(call.tool),
    },
  }
}

/** A question from a tool, in its own words. The model answers first, unless facts or the tool say that only the user can. */
function classifyQuestion(
  question: string,
  observed: Observation,
  facts: ErrorFacts | FailedCall,
): ToolError {
  const call = 'tool' in facts ? facts : undefined
  if (facts.effect === 'write' && (isOfTheServer(observed.status) || call?.effectBegan || brokeOff(observed)))
    return outcomeUnknownOf(facts)
  const verdict = verdictBesideQuestion(observed)
  const isSetUp = verdict !== undefined && isOfAConnection(verdict.type)
  const place =
    isSetUp || mentionsSecret(question) ? undefined : placeOfQuestion(question, verdict, observed, call)
  const type = verdict?.type ?? (place?.value === undefined ? 'missing_parameter' : 'invalid_value')
  const error = toolError(type, question, {
    resolver: isSetUp || observed.isForUser ? 'user' : 'model',
    details: { ...collectDetails(place, observed), ...(isSetUp ? {} : { said: 'question' }) },
  })
  return call ? withAsker(error, call) : error
}

/** The place that a question is about: the one it names itself, else the one it asks for. */
function placeOfQuestion(
  question: string,
  verdict: Verdict | undefined,
  { parameter }: Observation,
  call: FailedCall | undefined,
): Place | undefined {
  const name = verdict?.parameter ?? parameter
  const named = name === undefined ? undefined : placeIn(call, name)
  return !call || (named && isOwnPlace(named)) ? named : placeAskedFor(question, calledWith(call))
}

function calledWith({ tool, args }: FailedCall): CalledWith {
  return { parameters: tool.parameters, args }
}

/** The place that a provider or a tool has named; of a tool that is not known, its path alone. */
function placeIn(call: FailedCall | undefined, name: string): Place {
  return declaredPlace(call ? calledWith(call) : { parameters: {}, args: {} }, readPath(name))
}

function isOwnPlace(place: Place): boolean {
  return isOfTool(place) && !isSecret(place)
}

/** A secret belongs to a connection: no tool asks for one. */
function isSecret({ path, schema }: Place): boolean {
  return isSecretPlace(path, schema)
}

/** An error that a different call would resolve, whoever makes it. */
function isAboutTheCall({ errorType }: Pick<ToolError, 'errorType'>): boolean {
  return defaultResolver[errorType] === 'model'
}

/** A status that leaves open what the server has done. */
function isOfTheServer(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || status === 408)
}

/** A code or a status that says what a question is about: the call, or a broken connection. */
function verdictBesideQuestion(observed: Observation): Verdict | undefined {
  const meaning = meaningOfCodes({ ...observed, texts: [] })
  const verdict =
    meaning && 'type' in meaning ? meaning : judgeError({ ...observed, codes: [], names: [], texts: [] })
  if (!verdict || verdict.type === 'invalid_value') return undefined
  const isOfTheCall = (verdict.resolver ?? defaultResolver[verdict.type]) === 'model'
  return isOfTheCall || isOfAConnection(verdict.type) ? verdict : undefined
}

/** An earlier try inside the tool whose outcome is unknown. */
function brokeOff({ codes, names }: Observation): boolean {
  const verdict = judgeError({ ...noFacts(), codes, names })
  const isLost = verdict?.type === 'timeout' || verdict?.type === 'unavailable'
  return isLost && ![...codes, ...names].some((code) => neverConnected.test(code))
}

function isOfAConnection(type: Verdict['type']): boolean {
  return type === 'not_configured' || type === 'authentication_error'
}

/** These are the tool's words, not ours. */
function withAsker(error: ToolError, { tool }: FailedCall): ToolError {
  if (!isMarked(error.error)) return error
  return { ...error, details: { ...error.details, asker: titleOf(tool) } }
}

function outcomeUnknownOf(facts: ErrorFacts | FailedCall): ToolError {
  const title = titleIn(facts)
  return outcomeUnknown(title === undefined ? {} : { how: 'begun', tool: title })
}

/** The tool of a sentence, as far as it is known. */
function toolIn(facts: ErrorFacts | FailedCall): Record<string, string> {
  if ('tool' in facts) return toolValues(facts.tool)
  const title = titleIn(facts)
  return title === undefined ? {} : { tool: title }
}

function titleIn(facts: ErrorFacts | FailedCall): string | undefined {
  if ('tool' in facts) return titleOf(facts.tool)
  return facts.toolName === undefined ? undefined : titleOf({ name: facts.toolName })
}

function addStatus(observed: Observation, status: number | undefined): void {
  if (status === undefined || status < 400) return
  // A body may be more precise than a plain 400: `{"statusCode": "404"}` from Supabase Storage.
  if (status !== 400) observed.status = status
  else observed.status ??= status
}

/** The model cannot fix what breaks inside a tool, unless it is about one of its arguments. */
function withoutForeignBlame(
  verdict: Verdict | undefined,
  observed: Observation,
  call: FailedCall,
): Verdict | undefined {
  const { problems } = observed
  const isForeign = ({ parameter }: Problem) => parameter && !isOfTool(placeIn(call, parameter))
  if (problems.length > 0 && problems.every(isForeign)) return { type: 'execution_error' }
  const kind = verdict && isFaultOfPlace(observed)
  if (!kind || mentionsPlace(call.args, observed.texts)) return verdict
  return kind === 'host' ? { type: 'unavailable' } : { type: 'execution_error' }
}

/** Whether a write may have been carried out although it failed: nothing here proves the contrary. */
function mayHaveRun(judged: Verdict | undefined, observed: Observation, thrown: boolean): boolean {
  if (observed.texts.some((text) => outputSchemaFailures.words.test(text))) return true
  const { status } = observed
  if (status !== undefined) return isOfTheServer(status)
  if ([...observed.codes, ...observed.names].some((code) => neverConnected.test(code))) return false
  if (observed.texts.some((text) => neverConnectedWords.test(text))) return false
  if (!judged || observed.texts.some((text) => bugs.words.test(text))) return thrown
  return judged.type === 'timeout' || judged.type === 'unavailable' || judged.type === 'cancelled'
}

/** A validator's own exception inside a running tool: it may have been parsing the answer to its effect. */
function isValidation(cause: unknown): boolean {
  return cause instanceof Error && 'issues' in cause && Array.isArray(cause.issues)
}

/**
 * Words alone may blame a value of the call only if they name it: "The folder is missing" is not a missing parameter
 * of a tool that has no folder. Whether a connection works is a fact: a status or a test shows it.
 */
function isGroundless({ type }: Verdict, place: Place | undefined): boolean {
  return isOfAConnection(type) || (faultsOfValues.includes(type) && place === undefined)
}

const faultsOfValues: readonly ToolErrorType[] = [
  'missing_parameter',
  'invalid_type',
  'invalid_value',
  'unknown_parameter',
]

/** Exceptions raised by a bug: no other call helps. */
const bugNames: readonly string[] = ['Type', 'Reference', 'Range', 'Syntax', 'Eval', 'URI']

function isBug(cause: unknown, { names, texts }: Observation): boolean {
  if (texts.some((text) => bugs.words.test(text))) return true
  return cause instanceof Error && names.some((name) => bugNames.includes(name))
}

/** Only the tool's own sentence is known: it is passed on as it is, and may be acted on unless it is a bug. */
function passOn(observed: Observation, facts: ErrorFacts | FailedCall, isFinal: boolean): ToolError {
  const reason = observed.texts.map(sentenceIn).find((text) => text !== '') ?? reasonOfCode(observed.codes)
  const said: Said = {
    code: 'execution_error',
    values: { ...toolIn(facts), ...(reason === '' ? {} : { reason, isWhole: true }) },
  }
  return saidError('execution_error', said, {
    resolver: observed.isForUser ? 'user' : 'nobody',
    details: {
      ...collectDetails(undefined, observed, reason),
      ...(isFinal || observed.isForUser ? {} : { said: 'failure' }),
    },
  })
}

function describe(
  verdict: Verdict,
  place: Place | undefined,
  observed: Observation,
  facts: ErrorFacts | FailedCall,
  waitMs?: number,
): ToolError {
  const { type } = verdict
  const usual = verdict.resolver ?? defaultResolver[type]
  const resolver = usual === 'model' && observed.isForUser ? 'user' : usual
  const fault = usual === 'model' && place ? missingAt(place) : undefined
  const root = 'tool' in facts ? facts.tool.parameters : {}
  const sentence = {
    type,
    resolver,
    title: titleIn(facts),
    ...parameterOf(fault),
    // The schema's own, if there is one.
    question: type === 'missing_parameter' && fault ? withoutMark(questionFor(fault, root)) : undefined,
    retryAfterMs: resolver === 'time' ? waitMs : undefined,
    reason: observed.texts.map(cleanReason).find((text) => text !== '') ?? reasonOfCode(observed.codes),
    thing: thingIn(observed),
  }
  const details = collectDetails(fault, observed, sentence.reason)
  return toolError(type, errorSentence(sentence), {
    resolver,
    retryAfterMs: sentence.retryAfterMs,
    details: { ...details, asked: saidToPeople(sentence, fault, facts) },
  })
}

/** What people are told: about a value by its field, without the names that models need. */
function saidToPeople(
  { type, resolver, reason, retryAfterMs, thing }: Parameters<typeof errorSentence>[0],
  fault: Fault | undefined,
  facts: ErrorFacts | FailedCall,
): Said {
  const tool = 'tool' in facts ? facts.tool : undefined
  const root = tool?.parameters ?? {}
  const place: Record<string, unknown> = !fault
    ? {}
    : tool
      ? placeValues(tool, fault)
      : { ...askedPlace(fault, root) }
  const { field } = place
  const unfit = fault && pickShape(root, fault.schema).unfit
  const given = typeof field === 'string' ? sayField(reason, String(fault?.path.at(-1)), field) : reason
  const values = {
    ...toolIn(facts),
    ...parameterOf(fault),
    ...place,
    ...(unfit ? { unfit } : {}),
    ...(given === '' ? {} : { reason: given }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(type === 'not_found' ? { thing } : {}),
    ...(resolver === 'model' || resolver === 'user' ? { isAsked: true } : {}),
  }
  return { code: type, values }
}

/** A provider names a parameter as programs do; a name that is an ordinary word may be just that word. */
function sayField(reason: string, name: string, field: string): string {
  return /^[a-z]+$|^\d+$/.test(name) ? reason : reason.replaceAll(name, field)
}

/** A place as errors name it. */
function parameterOf(place: Pick<Place, 'path'> | undefined): { parameter?: string } {
  return place && place.path.length > 0 ? { parameter: formatPath(place.path) } : {}
}

function collectDetails(
  place: Pick<Place, 'path'> | undefined,
  observed: Observation,
  reason = '',
): ToolErrorDetails {
  const problems = observed.problems.map(maskProblem)
  const [problem] = problems
  const hints = observed.hints
    .map((hint) => cleanReason(hint))
    .filter((hint) => hint !== '' && hint !== reason)
  const { suggestion, example } = observed
  return {
    ...parameterOf(place),
    ...(problem?.expected ? { expected: problem.expected } : {}),
    ...(problem?.actual ? { actual: problem.actual } : {}),
    hint: hints[0] || undefined,
    ...(suggestion === undefined ? {} : { suggestion: clipText(maskSecrets(suggestion), longestSuggestion) }),
    example: example === undefined ? undefined : maskTexts(example),
    problems: problem && problems,
  }
}

const longestSuggestion = 100

function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return clipText(maskSecrets(value), 2 * longestSuggestion)
  if (Array.isArray(value)) return value.slice(0, 5).map(maskTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([name, member]) => [name, maskTexts(member)]),
  )
}

function maskProblem(problem: Problem): Problem {
  const masked = Object.entries(problem).map(([name, value]) => [name, maskSecrets(String(value))])
  return Object.fromEntries(masked) as Problem
}

/** The place at fault: one that the error names and the tool has, else the one that its words fit. */
function placeAtFault(
  verdict: Verdict,
  observed: Observation,
  call: FailedCall | undefined,
): Place | undefined {
  if (!isAboutTheCall({ errorType: verdict.type })) return undefined
  const name = verdict.parameter ?? observed.parameter
  const named = name !== undefined && maskSecrets(name) === name ? placeIn(call, name) : undefined
  if (!call || (named && isOwnPlace(named))) return named
  const fits = (text: string) => placeNamedIn(text, calledWith(call), verdict.type !== 'missing_parameter')
  return observed.texts.map(fits).find((found) => found !== undefined)
}
