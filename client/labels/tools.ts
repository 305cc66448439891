import type { Show } from './show.ts'

export type Values = Record<string, unknown>

/** A field of a form. */
export interface FieldWords {
  /** `E-Mail-Adresse des Empfängers`. */
  title: string
  /** Where its value stands beside it: `An`. */
  short?: string
  question?: string
  hint?: string
  /** Said where a value does not fit. */
  unfit?: string
  /** Values that can be chosen, as people read them. */
  choices?: Readonly<Record<string, string>>
}

/** What is known of the things that a call names by their ids, by parameter. */
export type Known = Readonly<Record<string, readonly Values[]>>

/** What a language says for a tool of ours. A sentence whose values are not there is the server's: undefined. */
export interface ToolWords {
  title: string
  /** By path, without the numbers of items: `to`, `attachments.filename`. */
  fields: Readonly<Record<string, FieldWords>>
  /** The verb on the button. */
  button?(input: Values): string | undefined
  /** What is asked, as a question. */
  confirm?(input: Values, show: Show, known: Known): string | undefined
  /** What was done. */
  summary?(input: Values, output: Values, show: Show, known: Known): string | undefined
}

/** What a language says for a provider of ours. */
export interface ProviderWords {
  description: string
  /** What cannot be done without it, as the end of a sentence. */
  purpose: string
  fields: Readonly<Record<string, FieldWords>>
}

/** By their names, ids and addresses. */
export type Tools = Readonly<Record<string, ToolWords>>
export type Providers = Readonly<Record<string, ProviderWords>>
/** What a sign-in has allowed. */
export type Scopes = Readonly<Record<string, string>>
