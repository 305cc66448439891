import type { Show } from './show.ts'

/** A sentence in parts: the reason, the question or message, and what to enter or do. */
export interface SaidParts {
  because?: string | undefined
  asked: string
  hint?: string | undefined
  /** What will be done, if `asked` says more, or something else. */
  confirm?: string | undefined
}

/** The subject of a server sentence. */
export interface SaidAbout {
  values: Record<string, unknown>
  /** Titles of the tool, its field and the provider: translated if they are ours. */
  tool: string
  field: string
  provider: string
  /** What the provider is needed for, if it is one of ours: `im Web zu suchen`. */
  purpose: string | undefined
  /** What is connected, as the language names it: `ein Mailkonto`. */
  account: string | undefined
  /** The question and hint for this field, from the language or else from the tool's author. */
  question: string | undefined
  hint: string | undefined
  /** The value, if it is one of the field's choices. */
  choice: string | undefined
  /** What to say if a value does not fit. */
  unfit: string | undefined
  /** What the call does that needs approval; undefined if only the server can say. */
  confirm: string | undefined
  /** The same as a statement: without its question mark. */
  toDo: string | undefined
  /** The same of what was done before, if that is asked about; else of the call. */
  statement: string | undefined
  /** What was done before and is now asked about again. */
  done: string | undefined
  /** What the call is once it is made: `sent`. */
  past: string | undefined
  show: Show
  /** The tools' titles, translated. */
  tools(): string[]
  /** The reason why something was not done, by its code. */
  why(): string | undefined
}

/** A fact about something, before and now. */
interface Change {
  what: string
  before?: unknown
  now?: unknown
}

/** What has changed since an item was asked before. */
export function changesIn({ changed }: SaidAbout['values']): Change[] {
  return Array.isArray(changed) ? changed : []
}

/** Undefined if values are missing: then the server's own sentence is shown. */
export type Say = (about: SaidAbout) => string | SaidParts | undefined

/** Translations of the server's sentences, by code: docs/sentences.md lists them. */
export type Sentences = Readonly<Record<string, Say>>
