import type { ModelRequest } from '../models/protocol/model-client.ts'
import { type Cut, Cutting } from './cutting.ts'
import { estimateTokens } from './estimate-tokens.ts'

export type { Cut } from './cutting.ts'

/** What a model reads at once. */
export interface TokenWindow {
  /** Its window in tokens, less what is kept for the answer. */
  tokens: number
  /** How many tokens it reports for each that is estimated. */
  scale: number
  /** The scale by which requests are cut, of `nextCutScale`. */
  cutScale: number
}

export interface FittedRequest {
  /** The request itself, or a shorter copy. */
  request: ModelRequest
  /** Tokens of it, by the model's scale. */
  estimated: number
  /** What was cut; undefined if nothing was. */
  cut: Cut | undefined
  /** False: instructions, the newest message and this turn's calls alone are too large. */
  fits: boolean
}

/** Share of the room above which a request is cut. */
export const cutOver = 0.9
/** Share of the room to which it is cut. */
export const cutTo = 0.7
/** By so much the scale may be more, and less, than the one by which requests are cut. */
const [mostAbove, mostBelow] = [1 / 32, 1 / 8]

/**
 * The scale by which the next requests are cut: `before` for as long as it is nearly right. Each report moves the scale a
 * little, and each time all would be cut elsewhere.
 *
 * @example
 * nextCutScale(1, 1.03) // => 1
 * nextCutScale(1, 1.04) // => 1.04
 */
export function nextCutScale(before: number, scale: number): number {
  return scale <= before * (1 + mostAbove) && scale >= before * (1 - mostBelow) ? before : scale
}

/**
 * A request that a model can read. Over 90 % of the room it is cut to 70 %: results of earlier turns, oldest first; long
 * texts of earlier messages; whole turns, oldest first; results of this turn, largest first. Never: instructions, the
 * newest message (it says what is open), this turn's calls, results of writes. `request` stays as it was.
 *
 * What was cut for one request stays cut for the next, which therefore begins alike, for the provider's cache. Nothing has
 * to be remembered for that: every reply in the messages shows where a request ended.
 *
 * @example
 * const request = { messages: [{ role: 'user', content: 'Hi' }], tools: [] }
 * fitRequest(request, { tokens: 8192, scale: 1, cutScale: 1 }) // => { request, estimated: 8, cut: undefined, fits: true }
 */
export function fitRequest(request: ModelRequest, { tokens, scale, cutScale }: TokenWindow): FittedRequest {
  const whole = estimateTokens(request)
  const estimated = Math.ceil(whole * scale)
  if (estimated <= cutOver * tokens) return { request, estimated, cut: undefined, fits: true }
  const unscaled = tokens / cutScale
  const { messages, cut } = new Cutting(request, { most: cutOver * unscaled, goal: cutTo * unscaled }).end()
  const shorter = cut ? { ...request, messages } : request
  const left = Math.ceil(estimateTokens(shorter) * scale)
  return { request: shorter, estimated: left, cut, fits: left <= tokens }
}
