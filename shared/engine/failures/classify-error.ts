import { readJsonText } from '../core/json-value.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import {
  defaultResolver,
  isToolError,
  type Problem,
  ToolCallError,
  type ToolError,
  type ToolErrorDetails,
  toolError,
} from '../core/tool-error.ts'
import type { Effect } from '../core/tool-specification.ts'
import { cleanReason } from './clean-reason.ts'
import { errorSentence } from './error-sentence.ts'
import { type Observation, observe } from './facts/observation.ts'
import { parameterIn } from './facts/parameter-name.ts'
import { type HeadersLike, lookUpHeaders } from './facts/response-headers.ts'
import { readSmtpReply } from './facts/smtp-reply.ts'
import { waitOfHeaders, waitOfWords } from './facts/wait-time.ts'
import { judgeError, reasonOfCode } from './judge-error.ts'
import { neverConnected } from './providers/network.ts'
import type { Verdict } from './rules/verdict.ts'
import { brokenPromiseWords, bugWords } from './rules/word-rules.ts'
import { neverConnectedWords } from './rules/words-of-outages.ts'
import { thingIn } from './thing.ts'

export interface ErrorFacts {
  toolName?: string
  /** HTTP status, or the code of an SMTP reply. */
  httpStatus?: number | null
  headers?: HeadersLike
  /** Body of the response: parsed JSON or text. */
  body?: unknown
  /** Of the tool that failed; `read` by default. */
  effect?: Effect
}

/**
 * Turns whatever came back or was thrown into a tool error: facts first (codes, HTTP status, SMTP reply, errno,
 * `Retry-After`), words last. A write whose answer was lost is `outcome_unknown`, unless the facts prove that it did
 * not happen. The result holds neither secrets nor stacks, paths or status lines. Never throws.
 *
 * @example
 * classifyError({ ok: false, error: 'ratelimited' }, { toolName: 'post_message', headers: { 'retry-after': '7' } })
 * // => { ok: false, error: 'The service behind post_message allows no more calls right now. It can be tried again in 7 s.', errorType: 'rate_limit_exceeded', resolver: 'time', retryAfterMs: 7000, details: {} }
 */
export function classifyError(cause: unknown, facts: ErrorFacts = {}): ToolError {
  const finished = findToolError(cause) ?? findToolError(facts.body)
  if (finished) return finished
  const observed = observe(cause, facts.body)
  addStatus(observed, facts.httpStatus ?? undefined)
  const header = lookUpHeaders(facts.headers, ...observed.headers)
  const text = observed.texts.join('\n')
  const waitMs = waitOfHeaders(header) ?? observed.waitMs ?? waitOfWords(text, header)
  const judged = judgeError(observed, waitMs)
  const verdict: Verdict = judged ?? { type: 'execution_error' }
  if (facts.effect === 'write' && mayHaveHappened(judged, observed, cause))
    return describe({ type: 'outcome_unknown' }, observed, facts)
  return describe(verdict, observed, facts, waitMs)
}

const maxCauses = 10

/** A tool error inside an exception, a JSON text or a response body is passed on as it is. */
function findToolError(value: unknown): ToolError | undefined {
  let current = value
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (current instanceof ToolCallError) return current.toolError
    current = current.cause
  }
  if (isToolError(current)) return current
  if (typeof current !== 'string' || !current.startsWith('{')) return undefined
  const parsed = readJsonText(current)
  return isToolError(parsed) ? parsed : undefined
}

function addStatus(observed: Observation, status: number | undefined): void {
  if (status === undefined || observed.smtp) return
  const reply = observed.texts.map((text) => readSmtpReply(text, status)).find((found) => found !== undefined)
  // A body may know better than a mere 400: `{"statusCode": "404"}` of Supabase's storage.
  const isKnown = observed.status !== undefined && status === 400
  if (reply) observed.smtp = reply
  else if (status >= 400 && !isKnown) observed.status = status
}

/** Whether a write may have been carried out although it failed: nothing here proves the contrary. */
function mayHaveHappened(judged: Verdict | undefined, observed: Observation, cause: unknown): boolean {
  if (observed.smtp) return false
  if (observed.texts.some((text) => brokenPromiseWords.test(text))) return true
  const { status } = observed
  if (status !== undefined && status < 500 && status !== 408) return false
  if (status !== undefined && status >= 500) return true
  if ([...observed.codes, ...observed.names].some((code) => neverConnected.test(code))) return false
  if (observed.texts.some((text) => neverConnectedWords.test(text))) return false
  if (!judged || observed.texts.some((text) => bugWords.test(text))) return cause instanceof Error
  return judged.type === 'timeout' || judged.type === 'unavailable' || judged.type === 'cancelled'
}

function describe(verdict: Verdict, observed: Observation, facts: ErrorFacts, waitMs?: number): ToolError {
  const { type } = verdict
  const resolver = verdict.resolver ?? defaultResolver[type]
  const said = observed.smtp ? [observed.smtp.text, ...observed.texts] : observed.texts
  const sentence = {
    type,
    resolver,
    toolName: facts.toolName,
    parameter: resolver === 'model' ? parameterOf(verdict, observed) : undefined,
    retryAfterMs: resolver === 'time' ? waitMs : undefined,
    reason: said.map(cleanReason).find((text) => text !== '') ?? reasonOfCode(observed.codes),
    thing: verdict.of ?? thingIn(observed),
    isMail: observed.smtp !== undefined,
  }
  const details = detailsOf(sentence.parameter, observed.problems.map(withoutSecrets))
  return toolError(type, errorSentence(sentence), { resolver, retryAfterMs: sentence.retryAfterMs, details })
}

function detailsOf(parameter: string | undefined, problems: Problem[]): ToolErrorDetails {
  const [problem] = problems
  return {
    ...(parameter ? { parameter } : {}),
    ...(problem?.expected ? { expected: problem.expected } : {}),
    ...(problem?.actual ? { actual: problem.actual } : {}),
    ...(problem ? { problems } : {}),
  }
}

function withoutSecrets(problem: Problem): Problem {
  const masked = Object.entries(problem).map(([name, value]) => [name, maskSecrets(String(value))])
  return Object.fromEntries(masked) as Problem
}

function parameterOf(verdict: Verdict, observed: Observation): string | undefined {
  const name = verdict.parameter ?? observed.parameter ?? observed.texts.map(parameterIn).find(Boolean)
  return name !== undefined && maskSecrets(name) === name ? name : undefined
}
