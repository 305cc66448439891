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
  /** System messages before every history. */
  system?: string
  /** The expected recipients, one entry per mail. */
  mails: readonly string[]
  /** Further ones, each of whom either gets a mail, or a question is asked about it. */
  orAsked?: readonly string[]
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
 * and message, as in LibreChat. `temporary`: as `named`, but all chats of a tab have one name. `unset`: empty, from a
 * placeholder without a value. `unknown`: placeholders as they are.
 */
export type Headers = 'none' | 'named' | 'chat' | 'no task' | 'temporary' | 'unset' | 'unknown'

/**
 * `nasty`, the default, calls the mail tool for any request, with another text each time; `rewords` with another subject,
 * too; `repeats` with the very same mail. They write to the address in the newest message, or to whom they wrote last.
 * `obeys` does only what the newest message asks for, and in its words.
 */
export interface Model {
  kind?: 'nasty' | 'repeats' | 'rewords' | 'obeys' | 'demo' | 'corrects' | 'forgets the recipient'
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
  /** What the client sends of the history; default: all of it. */
  history?: Cut
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

/**
 * `front`: without its beginning; `middle`: only the beginning and the end; `summary`: a summary instead; `one`: only the
 * newest message.
 */
export type Cut = 'front' | 'middle' | 'summary' | 'one'

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
  /** The last message of the user, or that with this number (from 0), in other words; `keepsId`: "Save", and then "Regenerate". */
  | ({ do: 'edit'; text: string; at?: number; keepsId?: boolean } & Sending)
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
  /** A copy of the chat, in which the user goes on. */
  | { do: 'fork'; newIds?: boolean }
  /** Back to the chat that was copied, or to the copy again. */
  | { do: 'other chat' }
  /** Another tab of the chat, or the same one after messages were deleted: it shows only so many messages. */
  | { do: 'other tab'; shows: number }
  /** How many chats the app lists. */
  | { do: 'listed'; chats: number }
  /** The user decides on open items in the app. */
  | { do: 'decide'; decision: 'approve' | 'deny' }
  | { do: 'hours pass'; hours: number }
  /** Waits until nothing of the user is being worked on. */
  | { do: 'wait' }
