import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { renderPage } from '../http/page.ts'
import { createGmailSimulator } from './gmail.ts'
import { createGoogleDocs } from './google-docs.ts'
import { createGoogleOAuth } from './google-oauth.ts'
import { createSearchSimulator } from './search.ts'
import type { Simulated } from './simulated.ts'
import { simulatedMails } from './simulated-mails.ts'

/** Their domain shows that they are simulated, wherever a connection is shown. */
const accounts = ['ada@simulated.example', 'grace@simulated.example']
const client = { clientId: 'simulated.apps.googleusercontent.com', clientSecret: 'simulated' }

/** The simulated third parties on their own loopback port, and the settings that lead functions to them. */
export interface Simulator {
  url: string
  environment: Record<string, string>
  close(): Promise<void>
}

export async function startSimulator(simulated: readonly Simulated[], port: number): Promise<Simulator> {
  let handle: ReturnType<typeof getRequestListener> | undefined
  const server = createServer((request, response) => void handle?.(request, response))
  await new Promise<void>((resolve, reject) => {
    // The port of the last start may be taken by now.
    server.once('error', () => server.listen(0, '127.0.0.1', resolve).once('error', reject))
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handle = getRequestListener(createRoutes(simulated, url).fetch, { overrideGlobalObjects: false })
  return {
    url,
    environment: {
      ...(simulated.includes('google') ? googleEnvironment(url) : {}),
      // One for all of them: one that is added while the stack runs is not reached for real either.
      ...(simulated.includes('search') ? { ASKBACK_SEARCH_SIMULATOR_URL: url } : {}),
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function googleEnvironment(url: string): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.clientSecret,
    GOOGLE_OAUTH_BASE_URL: url,
    GMAIL_API_BASE_URL: url,
    GOOGLE_DOCS_API_BASE_URL: url,
    GOOGLE_DRIVE_API_BASE_URL: url,
  }
}

type Routes = Hono<{ Bindings: HttpBindings }>

function createRoutes(simulated: readonly Simulated[], url: string): Routes {
  const routes: Routes = new Hono({ strict: false })
  if (simulated.includes('google')) addGoogle(routes)
  if (simulated.includes('search')) {
    const search = createSearchSimulator({ pages: `${url}/pages` })
    routes.use(async (c, next) => {
      const answer = await search.answer(c.req.raw)
      if (!answer) return next()
      return answer
    })
  }
  routes.get('/', (c) =>
    c.html(
      renderPage(
        'Simulator',
        html`<h1>Simulator</h1><p>This machine plays ${simulated.join(' and ')} here: no real account, and nothing leaves this machine.</p>`,
      ),
    ),
  )
  routes.notFound((c) =>
    c.json({ error: 'The simulator has no such place. If it was added just now, restart the stack.' }, 501),
  )
  return routes
}

function addGoogle(routes: Routes): void {
  const oauth = createGoogleOAuth({ ...client, accounts })
  const gmail = createGmailSimulator(oauth)
  const docs = createGoogleDocs(oauth)
  for (const email of accounts) for (const mail of simulatedMails(email)) gmail.mailbox(email).deliver(mail)
  for (const path of ['/o/*', '/token', '/revoke', '/tokeninfo', '/oauth2/*']) {
    routes.all(path, (c) => oauth.fetch(c.req.raw, c.env))
  }
  for (const path of ['/gmail/*', '/upload/gmail/*', '/batch/gmail/*']) {
    routes.all(path, (c) => gmail.app.fetch(c.req.raw, c.env))
  }
  for (const path of ['/v1/documents/*', '/v1/documents', '/drive/*', '/upload/drive/*']) {
    routes.all(path, (c) => docs.fetch(c.req.raw))
  }
}
