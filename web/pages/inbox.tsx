import { showDate } from '../../client/locale.ts'
import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MailFrame } from '../../client/react/mail-frame.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'

interface Mail {
  id: string
  messageId: string | null
  from: string
  to: string[]
  cc: string[]
  bcc: string[]
  replyTo: string[]
  subject: string
  text: string
  html: string | null
  date: string
  attachments: { filename: string | null; contentType: string; size: number }[]
  headers: string[]
}

const key = ['inbox']
const lookAgainMs = 5000

async function readMails(): Promise<Mail[]> {
  const response = await fetch('/inbox/messages').catch(() => undefined)
  if (!response?.ok) throw new Error('Couldn’t load the inbox. Is the local stack running?')
  return (await response.json()).reverse()
}

/** Mail that the local stack has sent, newest first. HTML runs nothing and loads nothing. */
export function InboxPage() {
  const queries = useQueryClient()
  const toast = useToast()
  const { data: mails, error } = useQuery({ queryKey: key, queryFn: readMails, refetchInterval: lookAgainMs })
  const [openId, setOpenId] = useState<string>()
  const clear = async () => {
    const response = await fetch('/inbox/messages', { method: 'DELETE' }).catch(() => undefined)
    toast(
      response?.ok ? 'The inbox is empty.' : 'Couldn’t empty the inbox.',
      response?.ok ? 'done' : 'failed',
    )
    await queries.invalidateQueries({ queryKey: key })
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <main className="page" tabIndex={0}>
      <PageTitle>Inbox</PageTitle>
      <header className="page-head">
        <div>
          <h1>Inbox</h1>
          <p className="quiet">Mail sent by this stack. Nothing left this machine.</p>
        </div>
        {(mails?.length ?? 0) > 0 && (
          <button type="button" onClick={() => void clear()}>
            Empty the inbox
          </button>
        )}
      </header>
      {error && <p role="alert">{error.message}</p>}
      {!mails && !error && <Skeleton />}
      {mails?.length === 0 && <p className="empty">No mail yet. Ask an agent to send one.</p>}
      <ul className="mails" hidden={!mails?.length}>
        {mails?.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              className="mail-line"
              aria-expanded={openId === mail.id}
              onClick={() => setOpenId(openId === mail.id ? undefined : mail.id)}
            >
              <span className="mail-subject">{mail.subject || '(no subject)'}</span>
              <span className="quiet">{mail.to.join(', ')}</span>
              <time className="quiet" dateTime={mail.date}>
                {showDate(mail.date, 'moment')}
              </time>
            </button>
            {openId === mail.id && <MailView mail={mail} />}
          </li>
        ))}
      </ul>
    </main>
  )
}

function showSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`
}

function MailView({ mail }: { mail: Mail }) {
  const lines: [string, string][] = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Cc', mail.cc.join(', ')],
    ['Bcc', mail.bcc.join(', ')],
    ['Reply to', mail.replyTo.join(', ')],
    ['Message id', mail.messageId ?? ''],
    [
      'Attachments',
      mail.attachments.map(({ filename, size }) => `${filename ?? 'unnamed'} (${showSize(size)})`).join(', '),
    ],
  ]
  return (
    <article className="mail" aria-label={mail.subject || 'Mail'}>
      <dl>
        {lines
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {mail.html && <MailFrame title="The mail as it looks" html={mail.html} />}
      {mail.text && (
        <section aria-label="Text">
          {mail.html && <h2>Text</h2>}
          <pre>{mail.text}</pre>
        </section>
      )}
      {mail.headers.length > 0 && (
        <details>
          <summary className="quiet small">All headers</summary>
          <pre className="headers">{mail.headers.join('\n')}</pre>
        </details>
      )}
    </article>
  )
}
