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

/** A language's texts for a tool: those that its specification has in English. Plain JSON, stored with the tool. */
export interface ToolWords {
  title: string
  /** By path, without list indexes: `to`, `attachments.filename`. */
  fields: Readonly<Record<string, FieldWords>>
  /** The question that asks for approval. Like the texts below, a template: `fillTemplate` says what it may contain. */
  confirm?: string
  /** What was done. */
  summary?: string
  /** The verb on the button. */
  button?: string
  /** What it is once it is done, after "already" or "not": `gesendet`. */
  past?: string
}

/** A language's texts for a provider. Plain JSON, stored with the provider. */
export interface ProviderWords {
  description: string
  /** What it is needed for, as the end of a sentence. */
  purpose: string
  /** What is connected: `ein Mailkonto`. Its name by default. */
  account?: string
  /** The fields of its connection. */
  fields: Readonly<Record<string, FieldWords>>
  /** What a sign-in allows, by scope. */
  scopes?: Readonly<Record<string, string>>
}

/** What an integration says in other languages than English, by BCP 47 tag: its tools by name, its providers by id. */
export type IntegrationWords = Readonly<
  Record<
    string,
    { tools: Readonly<Record<string, ToolWords>>; providers: Readonly<Record<string, ProviderWords>> }
  >
>

/** What is known about the things a call names by id, by parameter. */
export type Known = Readonly<Record<string, readonly Values[]>>

/** By name, id or URL. */
export type Tools = Readonly<Record<string, ToolWords>>
export type Providers = Readonly<Record<string, ProviderWords>>
/** What a sign-in allows. */
export type Scopes = Readonly<Record<string, string>>
