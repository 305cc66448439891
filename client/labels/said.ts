import type { Show } from './show.ts'

/** A sentence in parts: why, what is asked or told, and what belongs there or is to be done. */
export interface SaidParts {
  because?: string | undefined
  asked: string
  hint?: string | undefined
}

/** What a sentence of the server is about. */
export interface SaidAbout {
  values: Record<string, unknown>
  /** Title of the tool, of its field, of the provider: in the language where it is one of ours. */
  tool: string
  field: string
  provider: string
  /** What cannot be done without the provider, where it is one of ours: `im Web zu suchen`. */
  purpose: string | undefined
  /** What the language, else the tool's author, asks about this place, and says of what belongs there. */
  question: string | undefined
  hint: string | undefined
  /** What is said where a value does not fit. */
  unfit: string | undefined
  /** What is done by the call that waits for a yes; undefined where only the server's words are there. */
  confirm: string | undefined
  /** What was done before, and is asked about now. */
  done: string | undefined
  show: Show
  /** Titles of tools, as the language has them. */
  tools(): string[]
  /** The sentence of a code, as one: why something was not done. */
  why(): string | undefined
}

/** Undefined where the values are not enough to say it: the server's own words stand then. */
export type Say = (about: SaidAbout) => string | SaidParts | undefined

/** What a language says for the sentences of the server, by their codes: docs/sentences.md lists them. */
export type Said = Readonly<Record<string, Say>>

/** The same for refusals of requests; null where only the server can say what it is about. */
export type Refusals = Readonly<Record<string, string | null>>
