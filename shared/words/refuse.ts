import type { Show } from './show.ts'

/** What a sentence about a refused request is said with, besides its values. */
export interface Reading {
  show: Show
  /** Another sentence of ours, or `text` if we have none for it. */
  say(said: Mentioned): string
}

/** A sentence that another one contains. */
export interface Mentioned {
  code?: string | undefined
  values?: Record<string, unknown> | undefined
  text?: string | undefined
}

/** No values. */
export type None = Readonly<Record<string, never>>

/** Why a request is refused, said from the values of its code. */
export type Refuse<Values> = string | ((values: Values, reading: Reading) => string)

/** The same for several codes: an omission does not compile. */
export type Refuses<All> = { readonly [Code in keyof All]: Refuse<All[Code]> }

/** The values of a code that has several sentences, each named by `why`. */
export type OneOf<All> = {
  [Why in keyof All]: All[Why] extends None ? { why: Why } : { why: Why } & All[Why]
}[keyof All]

/** Says the sentence that `why` names. */
export function byWhy<All>(sentences: Refuses<All>): Refuse<OneOf<All>> {
  return (values, reading) => {
    const say: Refuse<never> = sentences[values.why]
    return typeof say === 'function' ? say(values as never, reading) : say
  }
}
