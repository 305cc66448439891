import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { createGoogleDocs, type GoogleDocs } from '../../local/simulator/google-docs.ts'

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** Access tokens of the accounts that the server knows: the app's own scope, all of Drive, only the address. */
export const tokens = {
  ada: 'ya29.ada',
  grace: 'ya29.grace',
  adaEverything: 'ya29.all',
  adaAddress: 'ya29.who',
}
const accounts = new Map([
  [tokens.ada, { email: 'ada@example.com', scopes: [scope('drive.file'), 'openid'] }],
  [tokens.grace, { email: 'grace@example.com', scopes: [scope('drive.file')] }],
  [tokens.adaEverything, { email: 'ada@example.com', scopes: [scope('drive')] }],
  [tokens.adaAddress, { email: 'ada@example.com', scopes: ['openid', 'email'] }],
])

export interface GoogleDocsServer extends GoogleDocs {
  /** Base URL of both services. */
  url: string
  close(): Promise<void>
}

/** Google Docs and Drive on a port of this machine, with connections that can break off. */
export async function startGoogleDocs(): Promise<GoogleDocsServer> {
  const google = createGoogleDocs({ accountOf: (token) => accounts.get(token) })
  const server = await new Promise<ServerType>((resolve) => {
    const fetch = (request: Request, { incoming }: { incoming: IncomingMessage }) =>
      google.fetch(request, { cut: () => incoming.socket.destroy() })
    const started: ServerType = serve({ fetch: fetch as never, hostname: '127.0.0.1', port: 0 }, () =>
      resolve(started),
    )
  })
  const { port } = server.address() as AddressInfo
  return {
    ...google,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
