import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createGmailSimulator, type GmailSimulator } from '../local/simulator/gmail.ts'

/** What an access token allows, all of Gmail by default. */
export interface TestAccount {
  email: string
  scopes: string[]
}

export interface GmailServer extends GmailSimulator {
  /** `http://127.0.0.1:PORT`, what stands before `/gmail/v1`. */
  url: string
  /** Accounts by access token; a token that is taken out has expired. */
  accounts: Map<string, TestAccount>
  close(): Promise<void>
}

export const gmailScopes = {
  send: 'https://www.googleapis.com/auth/gmail.send',
  compose: 'https://www.googleapis.com/auth/gmail.compose',
  modify: 'https://www.googleapis.com/auth/gmail.modify',
  readonly: 'https://www.googleapis.com/auth/gmail.readonly',
  all: 'https://mail.google.com/',
}

/** The Gmail simulator on a port of this machine. */
export async function startGmailServer(): Promise<GmailServer> {
  const accounts = new Map<string, TestAccount>()
  const simulator = createGmailSimulator({ accountOf: (token) => accounts.get(token) })
  const server = createAdaptorServer({ fetch: simulator.app.fetch })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    ...simulator,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
