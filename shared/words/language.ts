import type { Refuse } from './refuse.ts'
import type { Sentences } from './said.ts'
import type { Providers, Scopes, Tools } from './tool-words.ts'

/** A language for a reader: its sentences, its words for tools and providers, and how it writes values. */
export interface Language {
  /** BCP 47, with the reader's own region if it is known. */
  locale: string
  /** The reader's time zone, such as `Europe/Berlin`; UTC, which is said, if absent. */
  timeZone?: string | undefined
  /** The quotation marks around values in sentences. */
  quotes: readonly [string, string]
  /** By code. */
  said: Sentences
  /** The same without their values, where one of those that they need is missing. */
  meanings: Readonly<Record<string, string>>
  /** Of these, those that are said differently in the settings, to which they lead from elsewhere. */
  inSettings: Sentences
  /** English, in which a sentence is said that this language has no words for. */
  otherwise?: Language | undefined
  /** Why a request is refused, by code. */
  refusals: Readonly<Record<string, Refuse<never>>>
  /** By name. Other tools keep their authors' texts. */
  tools: Tools
  /** Providers and the permissions of sign-ins, by id. */
  providers: Providers
  scopes: Scopes
  /** For clients of the OpenAI protocol. */
  openai: ClientWords
  alsoNeeded(fields: readonly string[]): string
  /** The button of what was done before, or perhaps. */
  doAgain(button: string): string
  /** The question whether to permit it from now on. */
  offerPermission(permission: OfferedPermission): string
}

/** What a standing permission allows. */
export interface OfferedPermission {
  path: string
  /** The title of its tool. */
  tool: string
  pattern: string
  max: number
  per: 'minute' | 'hour' | 'day'
}

/** What a client of the OpenAI protocol is told besides the words of a run, as plain text. */
export interface ClientWords {
  /** What is asked of somebody, before the place where to do it. */
  approve: string
  fillIn: string
  fillInAndApprove: string
  connect: string
  follow: string
  /** `address`: of the conversation in the app; absent if that is not known. */
  there(request: string, address: string | undefined): string
  /** The client does not learn what is decided in the app: it has to ask. Without a name, only the same chat is known. */
  thenAskNamed: string
  thenAsk: string
  sender: string
  /** What a model has corrected by itself. */
  corrected(labels: readonly string[]): string
  /** What a slow write is about, as far as it is known. */
  atWork(what: string | undefined): string
  done(what: string): string
  /** `again`: it may have been done the first time. */
  notDone(what: string, because: 'deny' | 'skip' | 'expired' | 'stop' | undefined, again: boolean): string
}
