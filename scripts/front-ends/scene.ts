import type { TaskName } from './prompts.ts'

/** What a client of the OpenAI endpoint does, and what has to come of it. `{ada}` in its texts is an address of its own. */
export interface Scene {
  name: string
  /** Who sends the requests; default: Open WebUI as it is installed. */
  client?: Client
  /** Default `never`: the agent sends without asking. */
  approval?: 'always' | 'never'
  model?: Model
  /** Milliseconds that the mail server takes to answer; default 0. */
  mailMs?: number
  /** Who is to get a mail, once for each mail that was asked for. */
  mails: readonly string[]
  /** How many questions people may be asked; default 0. */
  questions?: number
  steps: readonly Step[]
}

export interface Client {
  /** `openai`: the JavaScript SDK. Anything else is Open WebUI: streams, sends functions of its own, repeats nothing. */
  kind?: 'openai' | 'open-webui'
  headers?: Headers
  stream?: boolean
  timeoutMs?: number
  retries?: number
  /** A proxy between client and server; it drops `x-stainless-retry-count`. */
  isProxied?: boolean
}

/**
 * `none`: as installed. `named`: chat, message and task. `chat`: `X-OpenWebUI-Chat-Id` alone. `no task`: chat and message,
 * as LibreChat can. `unset`: empty, as of a placeholder that has no value. `unknown`: placeholders as they stand.
 */
export type Headers = 'none' | 'named' | 'chat' | 'no task' | 'unset' | 'unknown'

/**
 * By default it calls the mail tool on any request in which an address stands, in other words each time; with
 * `rewordsSubject` also under another subject.
 */
export interface Model {
  kind?: 'nasty' | 'demo' | 'corrects' | 'forgets the recipient'
  rewordsSubject?: boolean
  /** Milliseconds until it answers. */
  thinksMs?: number
  /** Words that it writes slowly before it calls. */
  saysFirst?: string
}

/** What an answer has to be. */
export interface Expected {
  /** Default 200. */
  status?: number
  says?: readonly (string | RegExp)[]
  saysNot?: readonly (string | RegExp)[]
  /** Response headers. */
  headers?: Readonly<Record<string, RegExp>>
  /** What the model was sent last, as JSON. */
  modelReads?: readonly (string | RegExp)[]
  /** Milliseconds without a byte, at most. */
  silenceMs?: number
}

/** How one request differs from the others of its client. */
export interface Sending extends Expected {
  as?: Client
  /** System messages before the history. */
  system?: string
  /** Members of the body beside model, messages and stream. */
  body?: object
  /** The words are sent as a list of parts. */
  inParts?: boolean
  /** The client closes its connection then; nothing of `Expected` is looked at. */
  stop?: 'model asked' | 'words' | 'mail at the server'
  /** How it does that; default `abort`. */
  stopBy?: 'abort' | 'stream' | 'socket'
  /** Nobody knows whether it is answered in time. */
  mayFail?: boolean
}

/** Steps that ask for a completion. */
export type Asking =
  /** The user writes something. */
  | ({ do: 'say'; text: string } & Sending)
  /** The same request, without the answer to it: "Regenerate", or a client that repeats. */
  | ({ do: 'again' } & Sending)
  /** "Continue Response": the answer so far is the last message. */
  | ({ do: 'continue' } & Sending)
  /** A message of the program's own behind the answer, under the message id of the user's. */
  | ({ do: 'add'; text: string } & Sending)
  /** The last message of the user in other words; `keepsId`: "Save", and then "Regenerate". */
  | ({ do: 'edit'; text: string; keepsId?: boolean } & Sending)
  /** What a front end asks for itself, all at once; `before`: about a message that comes later. */
  | ({ do: 'tasks'; tasks: readonly TaskName[]; before?: string } & Sending)

export type Step =
  | Asking
  /** The history of the chat holds it, whoever has said it. */
  | { do: 'recall'; role: 'user' | 'assistant'; text: string }
  /** Any request; `{agent}` is the id of the agent. */
  | ({ do: 'post'; path: string; body: object; token?: string } & Expected)
  /** At the same time, each so many milliseconds after the one before it. */
  | { do: 'together'; steps: readonly Step[]; ms?: number }
  /** Another chat of the same user. */
  | { do: 'new chat' }
  /** The user decides in the app on what is open. */
  | { do: 'decide'; decision: 'approve' | 'deny' }
  | { do: 'hours pass'; hours: number }
  /** Until nobody works on anything of the user any more. */
  | { do: 'wait' }
