import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGoogleDocs, type GoogleDocs } from '../local/simulator/google-docs.ts'

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

/** Google Docs and Drive on a port of this machine, with connections that can break off. Runs on Node and on Deno. */
export async function startGoogleDocs(): Promise<GoogleDocsServer> {
  const google = createGoogleDocs({ accountOf: (token) => accounts.get(token) })
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers, socket } = incoming
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
    const request = new Request(`http://127.0.0.1${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body ? { body } : {}),
    })
    let isCut = false
    const cut = () => {
      isCut = true
      socket.destroy()
    }
    const response = await google.fetch(request, { cut })
    if (isCut) return
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...google,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
