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
  /** Tokens that it reads, as far as is known now. */
  window(): number
  /** Whether what belongs to this turn would have to be cut for it. `most` as in `ask`. */
  isTooSmall(request: ModelRequest, most: number | undefined): Promise<boolean>
  /** Calls it once, with what it can read. Throws `CallFailure`, or the signal's reason. */
  ask(request: ModelRequest, options: AskOptions): Promise<ModelReply>
}

export interface AskOptions extends Pick<CompleteOptions, 'signal' | 'stream' | 'onEvent' | 'deltas'> {
  /** Estimated tokens, unscaled, to which a request that was refused is cut. */
  most?: number | undefined
}

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
  /** It was asked again with less, after it has refused a request that was too long. */
  isCut: boolean
  /** What belongs to this turn would have to be cut for it. */
  isTooSmall: boolean
}

/**
 * Chooses one of the candidates for each call: the first one that is not resting; after a failure the next one; if all
 * have failed, two repetitions, the soonest first. So a single model is tried 3 times, and a resting model is
 * called if nothing else is left. Failures that would repeat (wrong key, refused request, silence) are not retried; a
 * request that was too long is once, with less. A model that cannot read this whole turn is asked after those that can.
 */
export function createRouter(
  candidates: readonly Candidate[],
  memory: ModelMemory,
  clock: RouterClock,
  sampling?: Sampling,
): ModelClient {
  const models = candidates.map(({ model }) => model)

  async function complete(whole: ModelRequest, options: CompleteOptions = {}): Promise<ModelReply> {
    let request = whole
    const tries = orderTries(candidates, options.avoid ?? [], memory, clock.now())
    let left = tries.filter(mayBeAsked).length + mostTries - 1
    const next = () => pick(tries, request, clock.now())
    let previous = candidates[0]
    let shown = false
    const show = (event: ModelEvent) => {
      // Once text has reached the reader, a new try must be announced.
      shown ||= event.type !== 'tool-refused' && event.type !== 'window-learned'
      options.onEvent?.(event)
    }
    const watched = { ...options, ...(options.onEvent ? { onEvent: show } : {}) }
    for (let one = await next(); one && left > 0; one = await next()) {
      const { candidate, failure } = one
      const waitMs = failure === undefined ? 0 : Math.max(0, Math.ceil(one.readyAt - clock.now()))
      if (waitMs > longestWaitMs) break
      if (previous !== undefined && previous !== candidate) {
        const why = reasonToLeave(previous, tries)
        options.onEvent?.({ type: 'model-switch', from: previous.model, to: candidate.model, ...why })
      }
      if (failure !== undefined) {
        const retry = { model: candidate.model, attempt: one.count + 1, waitMs, ...reasonOf(failure) }
        options.onEvent?.({ type: 'model-retry', ...retry })
        if (waitMs > 0) await clock.sleep(waitMs, options.signal)
        options.signal?.throwIfAborted()
      }
      if (shown) {
        options.onEvent?.({ type: 'restart', provider: candidate.provider, model: candidate.model })
        shown = false
      }
      previous = candidate
      // With less it is another request.
      if (failure?.kind === 'window') one.isCut = true
      else left--
      one.count++
      try {
        const reply = await candidate.ask(request, { ...watched, most: failure?.most })
        memory.resting.delete(candidate.key)
        return reply
      } catch (cause) {
        if (!(cause instanceof CallFailure)) throw cause
        note(one, cause, memory, clock)
        const tools = cause.kind === 'window' ? options.fewerTools?.() : undefined
        if (tools) {
          request = { ...request, tools }
          // With these it is another request: what was too long in the one before need not be in this one.
          cause.most ??= Number.POSITIVE_INFINITY
          cause.tooLong = undefined
        }
      }
    }
    throw finalError(tries, clock.now())
  }

  const window = () => candidates[0]?.window() ?? 0
  return { model: models[0] ?? '', models, window, sampling, complete }
}

interface Reason {
  reason: string
  failure?: FailureCause
}

function reasonToLeave(candidate: Candidate, tries: readonly Try[]): Reason {
  const left = tries.find((one) => one.candidate === candidate)
  if (left?.failure !== undefined) return reasonOf(left.failure)
  if (left?.isTooSmall) {
    const why = `this turn is longer than the ${candidate.window().toLocaleString('en')} tokens that it reads`
    return { reason: why, failure: { errorType: 'window', why, window: candidate.window() } }
  }
  return {
    reason: left?.readyAt === lastResort ? 'another model was asked for' : 'it rests after a failure',
  }
}

function reasonOf(failure: CallFailure): Required<Reason> {
  return { reason: failure.message, failure: causeOf(failure) }
}

function causeOf({ errorType, why, sent, window }: CallFailure): FailureCause {
  return {
    errorType,
    why,
    sent,
    window,
  }
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
      isCut: false,
      isTooSmall: false,
      readyAt: others && avoid.includes(model) ? lastResort : restsUntil > now ? restsUntil : 0,
      failure:
        misconfigured === undefined
          ? undefined
          : new CallFailure('refused', misconfigured, { errorType: 'not_configured' }),
    }
  })
}

/** The first one that is ready and reads the turn whole, else the first that is ready, else the one that is ready soonest. */
async function pick(tries: readonly Try[], request: ModelRequest, now: number): Promise<Try | undefined> {
  const open = tries.filter(mayBeAsked)
  const ready = open.filter(({ failure, readyAt }) => failure?.kind !== 'busy' && readyAt <= now)
  if (ready.length > 1) {
    for (const one of ready) {
      one.isTooSmall = await one.candidate.isTooSmall(request, one.failure?.most)
      if (!one.isTooSmall) return one
    }
  }
  let best = ready[0]
  if (best) return best
  for (const one of open) if (best === undefined || one.readyAt < best.readyAt) best = one
  return best
}

function mayBeAsked({ failure, count, isCut }: Try): boolean {
  if (failure === undefined) return true
  if (failure.kind === 'window') return !isCut && failure.most !== undefined
  return failure.kind === 'busy' && count < mostTries
}

function note(one: Try, failure: CallFailure, memory: ModelMemory, clock: RouterClock): void {
  one.failure = failure
  if (failure.kind === 'window') return
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
  const tooLong = mayPass ? undefined : failures.find(({ failure }) => failure.tooLong)?.failure.tooLong
  const lasting = refused ? (last?.isKeyRefused ? 'key_refused' : 'not_reached') : 'not_taken'
  const isWebPage = failures.every(({ failure }) => failure.errorType === 'web_page')
  const why = isWebPage ? 'web_page' : mayPass ? 'busy' : lasting
  return new ModelError(`No language model answered. ${reasons.join('; ')}.`, {
    httpStatus: last?.httpStatus,
    refused,
    isKeyRefused: last?.isKeyRefused ?? false,
    ...(lastAsked ? { failure: describe(lastAsked) } : {}),
    tooLong,
    retryAfterMs: waits.length > 0 ? Math.min(...waits) : undefined,
    ...(tooLong ? {} : { said: { code: 'model_unavailable', values: { why } } }),
    cause: last,
  })
}

function describe({ candidate, failure }: { candidate: Candidate; failure: CallFailure }): ModelFailure {
  return { provider: candidate.provider, model: candidate.model, ...causeOf(failure) }
}
