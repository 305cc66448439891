import type { Refusals, Said } from './said.ts'
import type { ClientWords } from './sentences/openai.ts'
import type { Providers, Scopes, Services, Tools } from './tool-words.ts'

/** A language for a reader: its sentences, its words for tools and providers, and how it writes values. */
export interface Language {
  /** BCP 47, with the reader's own region if it is known. */
  locale: string
  /** The reader's time zone, such as `Europe/Berlin`; that of the machine if absent. */
  timeZone?: string | undefined
  /** The quotation marks around values in sentences. */
  quotes: readonly [string, string]
  /** By code. */
  said: Said
  /** Why a request is refused, by code. */
  refusals: Refusals
  /** By name. Other tools keep their authors' texts. */
  tools: Tools
  /** Providers and the permissions of sign-ins, by id. */
  providers: Providers
  /** By their service, providers that differ in their names alone. */
  services: Services
  scopes: Scopes
  /** For clients of the OpenAI protocol. */
  openai: ClientWords
  alsoNeeded(fields: readonly string[]): string
  /** The question whether to permit it from now on. */
  offerPermission(permission: OfferedPermission): string
}

/** What the sentences of apps take of a language. */
export type Words = Omit<Language, 'openai'>

/** What a standing permission allows. */
export interface OfferedPermission {
  path: string
  /** The title of its tool. */
  tool: string
  pattern: string
  max: number
  per: 'minute' | 'hour' | 'day'
}
