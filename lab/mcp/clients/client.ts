/** How a client can ask its user. */
export type Mode = 'form' | 'url'

/** What a client is asked to ask its user. */
export interface Asked {
  mode: Mode
  message: string
  url?: string
  requestedSchema?: { properties: Record<string, unknown> }
}

export interface Reply {
  action: 'accept' | 'decline'
  content?: Record<string, unknown>
}

export interface ListedTool {
  name: string
  title?: string
}

/** What a client's own code makes of a result. */
export interface CallResult {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface Entry {
  url: string
  token: string
  /** What it says that it can do. */
  asks: readonly Mode[]
}

/** A client of MCP, as others publish it, whose user the lab is. It has one connection at a time. */
export interface Client {
  /** Resolves to its token. `consent`: its user opens this page and agrees; resolves to the address of its callback. */
  signIn?(url: string, consent: (page: string) => Promise<string>): Promise<string>
  connect(entry: Entry, onAsked: (asked: Asked) => Promise<Reply>): Promise<void>
  tools(): Promise<ListedTool[]>
  call(tool: string, args: Record<string, unknown>): Promise<CallResult>
  /** What it has found fault with so far, besides what its calls have failed with. */
  readonly complaints: readonly string[]
  end(): Promise<void>
}
