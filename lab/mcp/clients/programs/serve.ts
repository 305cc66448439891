import type { Asked, CallResult, Entry, ListedTool, Reply } from '../client.ts'
import { talk } from '../talk.ts'

/** A library at the lab's word. */
interface Library {
  /** Resolves to its token. */
  signIn(url: string, consent: (page: string) => Promise<string>): Promise<string>
  connect(entry: Entry, user: User): Promise<Connection>
}

interface User {
  onAsked(asked: Asked): Promise<Reply>
  /** It has found fault with something. */
  onError(error: unknown): void
}

interface Connection {
  tools(): Promise<ListedTool[]>
  call(tool: string, args: Record<string, unknown>): Promise<CallResult>
  close(): Promise<void>
}

/** Serves a library to the process that has started this one, and ends with it. */
export function serve(library: Library): void {
  let connection: Connection | undefined
  const connected = () => {
    if (!connection) throw new Error('Not connected.')
    return connection
  }
  const ask = talk(process, {
    signIn: (url: string) => library.signIn(url, async (page) => String(await ask('consent', page))),
    async connect(entry: Entry) {
      await connection?.close()
      connection = await library.connect(entry, {
        onAsked: async (asked) => (await ask('asked', asked)) as Reply,
        onError: (error) => void ask('complained', String(error)),
      })
    },
    tools: async () => await connected().tools(),
    call: async (tool: string, args: Record<string, unknown>) => await connected().call(tool, args),
  })
  process.on('disconnect', () => process.exit())
}

/** What a library remembers of a sign-in: all of them ask for the same. */
export function makeSignIn(name: string) {
  const redirectUrl = 'http://127.0.0.1:33418/callback'
  // biome-ignore lint/suspicious/noExplicitAny: only the library looks into it
  const kept: Record<string, any> = {}
  return {
    kept,
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: name,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept.client,
      saveClientInformation: (client: unknown) => {
        kept.client = client
      },
      tokens: () => kept.tokens,
      saveTokens: (tokens: unknown) => {
        kept.tokens = tokens
      },
      codeVerifier: () => kept.verifier,
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier
      },
      discoveryState: () => kept.discovery,
      saveDiscoveryState: (discovery: unknown) => {
        kept.discovery = discovery
      },
      redirectToAuthorization: (page: URL) => {
        kept.page = String(page)
      },
    },
  }
}
