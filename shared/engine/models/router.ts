import { AgentError } from '../core/agent-error.ts'
import { waitBeforeTry } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import type { ModelMemory } from './model-memory.ts'
import { CallFailure, type FailureCause } from './protocol/call-failure.ts'
import type {
  CompleteOptions,
  ModelClient,
  ModelEvent,
  ModelFailure,
  ModelReply,
  ModelRequest,
  Sampling,
} from './protocol/model-client.ts'
import { ModelError } from './protocol/model-client.ts'

/** One model that the router can call. */
export interface Candidate {
  /** Server and model: its key in the memory. */
  key: string
  provider: string
  model: string
  /** Why it cannot be called at all, as a sentence for the operator: no key, no name. */
  misconfigured?: string
  /** Calls it once. Throws `CallFailure`, or the signal's reason. */
  ask(request: ModelRequest, options: AskOptions): Promise<ModelReply>
}

export type AskOptions = Pick<CompleteOptions, 'signal' | 'stream' | 'onEvent' | 'deltas'>

/** The clock and randomness, so that tests need not wait. */
export type RouterClock = Pick<Clock, 'now' | 'sleep' | 'random'>

/** Tries of one model within one call. */
const mostTries = 3
const baseBackoffMs = 500
/** Longer waits are left to the caller, who gets `retryAfterMs`. */
const longestWaitMs = 10_000
/** How long a model rests after a failure that gives no time. */
const restMs = 30_000

/** A model to be avoided is ready only after all others have failed. */
const lastResort = Number.POSITIVE_INFINITY

interface Try {
  candidate: Candidate
  count: number
  /** When it may be called again. */
  readyAt: number
  failure: CallFailure | undefined
}

/**
 * Chooses one of the candidates for each call: the first one that is not resting; after a failure the next one; if all
 * have failed, two repetitions, the soonest first. So a single model is tried 3 times, and a resting model is
 * called if nothing else is left. Failures that would repeat (wrong key, refused request, silence) are not retried.
 */
export function createRouter(
  candidates: readonly Candidate[],
  memory: ModelMemory,
  clock: RouterClock,
  sampling?: Sampling,
): ModelClient {
  const models = candidates.map(({ model }) => model)

  async function complete(request: ModelRequest, options: CompleteOptions = {}): Promise<ModelReply> {
    const tries = orderTries(candidates, options.avoid ?? [], memory, clock.now())
    let left = tries.filter(mayBeAsked).length + mostTries - 1
    let previous = candidates[0]
    let shown = false
    const show = (event: ModelEvent) => {
      // Once text has reached the reader, a new try must be announced.
      shown ||= event.type !== 'tool-refused'
      options.onEvent?.(event)
    }
    const watched = { ...options, ...(options.onEvent ? { onEvent: show } : {}) }
    for (let next = pick(tries, clock.now()); next && left > 0; next = pick(tries, clock.now())) {
      const { candidate, failure } = next
      const waitMs = failure === undefined ? 0 : Math.max(0, Math.ceil(next.readyAt - clock.now()))
      if (waitMs > longestWaitMs) break
      if (previous !== undefined && previous !== candidate) {
        const why = reasonToLeave(previous, tries)
        options.onEvent?.({ type: 'model-switch', from: previous.model, to: candidate.model, ...why })
      }
      if (failure !== undefined) {
        const retry = { model: candidate.model, attempt: next.count + 1, waitMs, ...reasonOf(failure) }
        options.onEvent?.({ type: 'model-retry', ...retry })
        if (waitMs > 0) await clock.sleep(waitMs, options.signal)
        options.signal?.throwIfAborted()
      }
      if (shown) {
        options.onEvent?.({ type: 'restart', provider: candidate.provider, model: candidate.model })
        shown = false
      }
      previous = candidate
      left--
      next.count++
      try {
        const reply = await candidate.ask(request, watched)
        memory.resting.delete(candidate.key)
        return reply
      } catch (cause) {
        if (!(cause instanceof CallFailure)) throw cause
        note(next, cause, memory, clock)
      }
    }
    throw finalError(tries, clock.now())
  }

  return { model: models[0] ?? '', models, ...(sampling ? { sampling } : {}), complete }
}

interface Reason {
  reason: string
  failure?: FailureCause
}

function reasonToLeave(candidate: Candidate, tries: readonly Try[]): Reason {
  const left = tries.find((one) => one.candidate === candidate)
  if (left?.failure !== undefined) return reasonOf(left.failure)
  return {
    reason: left?.readyAt === lastResort ? 'another model was asked for' : 'it rests after a failure',
  }
}

function reasonOf({ message, errorType, why }: CallFailure): Required<Reason> {
  return { reason: message, failure: { errorType, why } }
}

function orderTries(
  candidates: readonly Candidate[],
  avoid: readonly string[],
  memory: ModelMemory,
  now: number,
): Try[] {
  const others = candidates.some(({ model }) => !avoid.includes(model))
  return candidates.map((candidate) => {
    const { key, model, misconfigured } = candidate
    const restsUntil = memory.resting.get(key) ?? 0
    return {
      candidate,
      count: 0,
      readyAt: others && avoid.includes(model) ? lastResort : restsUntil > now ? restsUntil : 0,
      failure:
        misconfigured === undefined
          ? undefined
          : new CallFailure('refused', misconfigured, { errorType: 'not_configured' }),
    }
  })
}

/** The first one that is ready and was not tried yet, else the one that is ready soonest. */
function pick(tries: readonly Try[], now: number): Try | undefined {
  let best: Try | undefined
  for (const one of tries) {
    if (!mayBeAsked(one)) continue
    if (one.failure === undefined && one.readyAt <= now) return one
    if (best === undefined || one.readyAt < best.readyAt) best = one
  }
  return best
}

function mayBeAsked({ failure, count }: Try): boolean {
  return failure === undefined || (failure.kind === 'busy' && count < mostTries)
}

function note(one: Try, failure: CallFailure, memory: ModelMemory, clock: RouterClock): void {
  one.failure = failure
  const now = clock.now()
  one.readyAt =
    now +
    waitBeforeTry(one.count, {
      baseMs: baseBackoffMs,
      askedMs: failure.retryAfterMs,
      chance: clock.random(),
    })
  if (failure.kind === 'busy' || failure.kind === 'silent') {
    memory.resting.set(one.candidate.key, now + (failure.retryAfterMs ?? restMs))
  }
}

const notReached =
  'The language model of this assistant cannot be used at the moment. Please tell whoever runs it.'
const keyRefused =
  'The language model of this assistant cannot be used at the moment: its key was refused. Please tell whoever runs it.'
const isWebPage =
  'The language model of this assistant cannot be used: its address answers with a web page. Please tell whoever runs it.'
const notTaken =
  'The language model did not accept this conversation. Please say it in other words or in a new, shorter one.'

function finalError(tries: readonly Try[], now: number): Error {
  const failures = tries.flatMap(({ candidate, failure }) => (failure ? [{ candidate, failure }] : []))
  if (tries.every(({ candidate }) => candidate.misconfigured !== undefined)) {
    const sentence = tries[0]?.candidate.misconfigured ?? 'No language model is configured.'
    return new AgentError('configuration', sentence)
  }
  const reasons = failures.map(({ candidate, failure }) => `${candidate.model}: ${failure.message}`)
  const lastAsked = failures.findLast(({ candidate }) => candidate.misconfigured === undefined)
  const last = lastAsked?.failure
  const waits = tries.flatMap(({ failure, readyAt }) =>
    failure?.kind === 'busy' && failure.retryAfterMs !== undefined ? [Math.max(0, readyAt - now)] : [],
  )
  const kinds = failures.map(({ failure }) => failure.kind)
  const refused = kinds.every((kind) => kind === 'refused')
  const mayPass = kinds.some((kind) => kind === 'busy' || kind === 'silent')
  const lasting = mayPass ? undefined : refused ? (last?.isKeyRefused ? keyRefused : notReached) : notTaken
  const forPeople = failures.every(({ failure }) => failure.errorType === 'web_page') ? isWebPage : lasting
  return new ModelError(`No language model answered. ${reasons.join('; ')}.`, {
    httpStatus: last?.httpStatus,
    refused,
    isKeyRefused: last?.isKeyRefused ?? false,
    ...(lastAsked ? { failure: describe(lastAsked) } : {}),
    ...(waits.length > 0 ? { retryAfterMs: Math.min(...waits) } : {}),
    ...(forPeople ? { forPeople } : {}),
    cause: last,
  })
}

function describe({ candidate, failure }: { candidate: Candidate; failure: CallFailure }): ModelFailure {
  const { errorType, why } = failure
  return { provider: candidate.provider, model: candidate.model, errorType, why }
}
