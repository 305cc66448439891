import { canonicalJson } from './canonical-json.ts'

/** What a tool has seen that the effect of a call depends on: named facts, plain JSON. Only the tool reads it. */
export type Seen = Readonly<Record<string, unknown>>

/** One thing that is no longer as it was when somebody was asked; `what`: a code, or a name of the app's own. */
export interface Change {
  what: string
  before: unknown
  now: unknown
}

/** What a tool sees when somebody is about to be asked. */
export interface Look {
  seen: Seen
  /** Arguments that the call leaves open and that are fixed from now on: the card shows them. */
  fixed?: Record<string, unknown>
  /** Since an earlier look, if there was one; empty: nothing that matters. */
  changed?: Change[]
}

/** How two looks are compared. */
export type Compare = (before: Seen, now: Seen) => Change[]

/**
 * Every fact that is not equal.
 *
 * @example
 * changesBetween({ title: 'Plan' }, { title: 'Plan B' }) // => [{ what: 'title', before: 'Plan', now: 'Plan B' }]
 */
export const changesBetween: Compare = (before, now) =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((what) => canonicalJson(before[what]) !== canonicalJson(now[what]))
    .map((what) => ({ what, before: before[what] ?? null, now: now[what] ?? null }))
