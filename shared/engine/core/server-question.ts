import type { JsonSchema } from './json-schema.ts'

/** What a server of MCP asks of the user before it goes on with a call: its words, as people may see them. */
export interface ServerQuestion {
  /** Who asks. */
  host: string
  requests: ServerRequest[]
}

/** One of the things it asks: a form to fill in, or a page to open. */
export interface ServerRequest {
  /** The server's own name of it. */
  key: string
  /** In plain text, without links. */
  message: string
  /** Of flat fields; their `default` is what the server proposes. */
  form?: JsonSchema
  url?: string
}

/** A question, and what goes back to the server with its answer: opaque, for nobody to see. */
export interface ParkedQuestion {
  question: ServerQuestion
  state?: string
}

/** The answer to one request. */
export interface ServerResponse {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** What the server gets with the next attempt of the same call. */
export interface ServerReply {
  state?: string
  responses: Record<string, ServerResponse>
}
