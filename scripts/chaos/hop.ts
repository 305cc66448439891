/** Requests of the functions that the proxy sees, by what they are for. */
export interface Hop {
  /** `rpc NAME`, `tool FUNCTION`, `model`, or `smtp STAGE`. */
  name: string
  /** The user whose run it belongs to. */
  userId: string
}

/** A moment in a run: the n-th request of a name since the point was set, before it is passed on or after its answer. */
export interface Point {
  hop: string
  nth: number
  side: 'before' | 'after'
}

export const showPoint = ({ hop, nth, side }: Point): string =>
  `${side} ${hop}${nth === 1 ? '' : ` (${nth})`}`

/** Who hears of hops and may hold them: resolves when they may go on. */
export type HopListener = (hop: Hop, side: Point['side']) => Promise<void> | undefined
