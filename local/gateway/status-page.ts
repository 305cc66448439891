import { html } from 'hono/html'
import type { StackFile } from '../data-directory/stack-file.ts'
import { copyable, type Renderable, renderPage } from '../http/page.ts'

/** The page `/status`: what is running. The secret key is for programs and is not shown. */
export function renderStatusPage(facts: {
  stack: StackFile
  /** Which model answers, in words. */
  model: string
  /** Names of all functions. */
  functions: readonly string[]
  mailCount: number
}): Renderable {
  const { stack, model, functions, mailCount } = facts
  const { url, publishableKey, demoUser, databaseUrl, smtp, pids } = stack
  const rows: [string, Renderable | string][] = [
    ['Address', copyable('the address', url)],
    ['Publishable key', copyable('the publishable key', publishableKey)],
    ['Demo user', copyable('the demo user’s email', demoUser.email)],
    ['Demo password', copyable('the demo user’s password', demoUser.password)],
    ['Model', model],
    ['Database', `PostgreSQL on ${new URL(databaseUrl).host}`],
    ['Integrations', html`<a href="/settings/integrations">connect accounts</a>`],
  ]
  const inboxRows: [string, Renderable | string][] = [
    ['Emails', html`<a href="/inbox">${mailCount} ${mailCount === 1 ? 'email' : 'emails'}</a>`],
    ['Mail server', copyable('the mail server', smtp.host)],
    ['Port', copyable('the port', String(smtp.port))],
    ['User name', copyable('the user name', smtp.user)],
    ['Password', copyable('the inbox password', smtp.password)],
  ]
  const functionRows = functions.map((name): [string, string] => {
    const pid = pids[name]
    return [name, pid === undefined ? 'starts with its first request' : `runs as process ${pid}`]
  })
  return renderPage(
    'Askback',
    html`<h1>Askback is running</h1>
<p>Tools for AI agents on Supabase: agents fix their own calls, ask only when they must, and never send twice. <a href="/">Open the app.</a>
<span class="quiet">This is the local stack: a stand-in for development, not for production.</span></p>
${renderTable(rows)}
<h2>Test inbox</h2>
<p>Emails that are sent through it stay on this machine. To send through it, connect SMTP with these values.</p>
${renderTable(inboxRows)}
<h2>Functions</h2>
${renderTable(functionRows)}
<p class="quiet">Keys and addresses for programs are in stack.json in the data directory.</p>`,
  )
}

function renderTable(rows: readonly [string, Renderable | string][]): Renderable {
  return html`<table>${rows.map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>`
}
