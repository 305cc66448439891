import type { TaskName } from './prompts.ts'

/** What a client of the OpenAI endpoint does, and the expected result. `{ada}` stands for an address of the scene. */
export interface Scene {
  name: string
  /** Who sends the requests; default: Open WebUI with its default settings. */
  client?: Client
  /** Default `never`: the agent sends without asking. */
  approval?: 'always' | 'never'
  model?: Model
  /** Milliseconds that the mail server takes to respond; default 0. */
  mailMs?: number
  /** The expected recipients, one entry per mail. */
  mails: readonly string[]
  /** How many questions may be asked; default 0. */
  questions?: number
  steps: readonly Step[]
}

export interface Client {
  /** `openai`: the JavaScript SDK. Otherwise Open WebUI, which streams, sends its own functions and never retries. */
  kind?: 'openai' | 'open-webui'
  headers?: Headers
  stream?: boolean
  timeoutMs?: number
  retries?: number
  /** A proxy between client and server; it drops `x-stainless-retry-count`. */
  isProxied?: boolean
}

/**
 * `none`: the default settings. `named`: chat, message and task. `chat`: only `X-OpenWebUI-Chat-Id`. `no task`: chat
 * and message, as in LibreChat. `unset`: empty, from a placeholder without a value. `unknown`: placeholders as they
 * are.
 */
export type Headers = 'none' | 'named' | 'chat' | 'no task' | 'unset' | 'unknown'

/**
 * By default it calls the mail tool for any request that contains an address, with other words each time; with
 * `rewordsSubject` also with another subject.
 */
export interface Model {
  kind?: 'nasty' | 'demo' | 'corrects' | 'forgets the recipient'
  rewordsSubject?: boolean
  /** Milliseconds until it replies. */
  thinksMs?: number
  /** Text that it streams slowly before it calls. */
  saysFirst?: string
}

/** What an answer must be like. */
export interface Expected {
  /** Default 200. */
  status?: number
  says?: readonly (string | RegExp)[]
  saysNot?: readonly (string | RegExp)[]
  /** Response headers. */
  headers?: Readonly<Record<string, RegExp>>
  /** The last request to the model, as JSON. */
  modelReads?: readonly (string | RegExp)[]
  /** The longest allowed time without a byte, in milliseconds. */
  silenceMs?: number
}

/** How a request differs from the client's others. */
export interface Sending extends Expected {
  as?: Client
  /** System messages before the history. */
  system?: string
  /** Members of the body besides model, messages and stream. */
  body?: object
  /** Whether the text is sent as a list of parts. */
  inParts?: boolean
  /** When the client closes its connection; then `Expected` is not checked. */
  stop?: 'model asked' | 'words' | 'mail at the server'
  /** How it disconnects; default `abort`. */
  stopBy?: 'abort' | 'stream' | 'socket'
  /** Whether the response comes in time is open. */
  mayFail?: boolean
}

/** Steps that ask for a completion. */
export type Asking =
  /** The user sends a message. */
  | ({ do: 'say'; text: string } & Sending)
  /** The same request again, without its answer: "Regenerate", or a client that retries. */
  | ({ do: 'again' } & Sending)
  /** "Continue Response": the answer so far is the last message. */
  | ({ do: 'continue' } & Sending)
  /** A message of the program's own behind the answer, under the message id of the user's. */
  | ({ do: 'add'; text: string } & Sending)
  /** The last message of the user in other words; `keepsId`: "Save", and then "Regenerate". */
  | ({ do: 'edit'; text: string; keepsId?: boolean } & Sending)
  /** The front end's own requests, all at once; `before`: about a message that comes later. */
  | ({ do: 'tasks'; tasks: readonly TaskName[]; before?: string } & Sending)

export type Step =
  | Asking
  /** Adds a message to the chat's history. */
  | { do: 'recall'; role: 'user' | 'assistant'; text: string }
  /** Any request; `{agent}` is the id of the agent. */
  | ({ do: 'post'; path: string; body: object; token?: string } & Expected)
  /** Steps in parallel, each this many milliseconds after the previous one. */
  | { do: 'together'; steps: readonly Step[]; ms?: number }
  /** Another chat of the same user. */
  | { do: 'new chat' }
  /** The user decides on open items in the app. */
  | { do: 'decide'; decision: 'approve' | 'deny' }
  | { do: 'hours pass'; hours: number }
  /** Waits until nothing of the user is being worked on. */
  | { do: 'wait' }
