import { html } from 'hono/html'
import { type Renderable, renderPage } from '../page.ts'
import type { Inbox } from './inbox.ts'
import type { InboxMessage } from './message.ts'

/** The page of the inbox, newest mail first. Mails are shown as text: their HTML is somebody else's. */
export function renderInbox(inbox: Inbox): Renderable {
  const messages = [...inbox.messages()].reverse()
  return renderPage(
    'Local inbox',
    html`<h1>Local inbox</h1>
<p class="quiet">Mail that this stack has sent. Nothing left this machine. <a href="/">Askback</a></p>
${messages.length === 0 ? html`<p>No mail yet.</p>` : messages.map(renderMessage)}`,
  )
}

function renderMessage(message: InboxMessage): Renderable {
  const lines = [
    ['From', message.from],
    ['To', message.to.join(', ')],
    ['Cc', message.cc.join(', ')],
    ['Bcc', message.bcc.join(', ')],
    ['Reply to', message.replyTo.join(', ')],
    ['Date', message.date],
    [
      'Attachments',
      message.attachments.map(({ filename, size }) => `${filename ?? 'unnamed'} (${size} bytes)`).join(', '),
    ],
  ].filter(([, value]) => value)
  return html`<article>
<h2>${message.subject || '(no subject)'}</h2>
<table>${lines.map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>
<pre>${message.text || message.html || ''}</pre>
</article>`
}
