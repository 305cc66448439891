/** The functions' requests that the proxy sees, by purpose. */
export interface Hop {
  /** `rpc NAME`, `tool`, `model`, `smtp STAGE`, `gmail PATH`, or `ring TYPE`. */
  name: string
  /** The user whose run it belongs to. */
  userId: string
}

/**
 * A moment in a run: the n-th request of a name since the point was set, before it is passed on or after its response.
 */
export interface Point {
  hop: string
  nth: number
  side: 'before' | 'after'
}

export const showPoint = ({ hop, nth, side }: Point): string =>
  `${side} ${hop}${nth === 1 ? '' : ` (${nth})`}`

/** Hears of each hop and may hold it: resolves when it may go on. */
export type HopListener = (hop: Hop, side: Point['side']) => Promise<void> | undefined
