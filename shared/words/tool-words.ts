import type { Show } from './show.ts'

export type Values = Record<string, unknown>

/** A field of a form. */
export interface FieldWords {
  /** `E-Mail-Adresse des Empfängers`. */
  title: string
  /** The short label beside its value: `An`. */
  short?: string
  question?: string
  hint?: string
  /** What to say if a value does not fit. */
  unfit?: string
  /** The allowed values, as people read them. */
  choices?: Readonly<Record<string, string>>
}

/** What is known about the things a call names by id, by parameter. */
export type Known = Readonly<Record<string, readonly Values[]>>

/** A language's texts for one of our tools. Undefined if values are missing: then the server's sentence is shown. */
export interface ToolWords {
  title: string
  /** By path, without list indexes: `to`, `attachments.filename`. */
  fields: Readonly<Record<string, FieldWords>>
  /** The verb on the button. */
  button?(input: Values): string | undefined
  /** The question that asks for approval. */
  confirm?(input: Values, show: Show, known: Known): string | undefined
  /** What was done. */
  summary?(input: Values, output: Values, show: Show, known: Known): string | undefined
}

/** A language's texts for one of our providers. */
export interface ProviderWords {
  description: string
  /** What it is needed for, as the end of a sentence. */
  purpose: string
  fields: Readonly<Record<string, FieldWords>>
}

/** By name, id or URL. */
export type Tools = Readonly<Record<string, ToolWords>>
export type Providers = Readonly<Record<string, ProviderWords>>
/** The words for every provider of a service; `values`: those of its connection. */
export type Services = Readonly<Record<string, (name: string, values: Values) => ProviderWords>>
/** What a sign-in allows. */
export type Scopes = Readonly<Record<string, string>>
