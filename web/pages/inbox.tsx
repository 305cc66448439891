import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MailFrame } from '../../client/react/values/mail-frame.tsx'
import type { InboxMessage } from '../../local/inbox/inbox-message.ts'
import { showDate, showNumber } from '../base/locale.ts'
import { useSession } from '../base/session.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { inboxWords } from './inbox/words.ts'

const key = ['inbox']
const lookAgainMs = 5000

async function readMails(): Promise<InboxMessage[]> {
  const response = await fetch('/inbox/messages').catch(() => undefined)
  if (!response?.ok) throw new Error(inboxWords().notLoaded)
  return (await response.json()).reverse()
}

/** Mail sent by the local stack, newest first. Its HTML cannot run or load anything. */
export function InboxPage() {
  const queries = useQueryClient()
  const toast = useToast()
  const { session } = useSession()
  const words = inboxWords()
  const { data: mails, error } = useQuery({ queryKey: key, queryFn: readMails, refetchInterval: lookAgainMs })
  const [openId, setOpenId] = useState<string>()
  const clear = async () => {
    const response = await fetch('/inbox/messages', { method: 'DELETE' }).catch(() => undefined)
    toast(response?.ok ? words.emptied : words.notEmptied, response?.ok ? 'done' : 'failed')
    await queries.invalidateQueries({ queryKey: key })
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <main className="page" aria-label={words.title} tabIndex={0}>
      <PageHead title={words.title} note={words.note}>
        {(mails?.length ?? 0) > 0 && (
          <button type="button" onClick={() => void clear()}>
            {words.empty}
          </button>
        )}
      </PageHead>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {!mails && !error && <Skeleton />}
      {mails?.length === 0 && <p className="empty">{words.none}</p>}
      <ul className="mails" hidden={!mails?.length}>
        {mails?.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              className="mail-line"
              aria-expanded={openId === mail.id}
              onClick={() => setOpenId(openId === mail.id ? undefined : mail.id)}
            >
              <span className="mail-subject">
                <bdi>{mail.subject || words.noSubject}</bdi>
              </span>
              <span className="quiet">{mail.to.join(', ')}</span>
              <time className="quiet" dateTime={mail.date}>
                {showDate(mail.date, 'moment')}
              </time>
            </button>
            {openId === mail.id && <MailView mail={mail} />}
          </li>
        ))}
      </ul>
      {session === null && (
        <p>
          <a href="/">{words.signIn}</a>
        </p>
      )}
    </main>
  )
}

function showSize(bytes: number): string {
  return bytes < 1000
    ? showNumber(bytes, { style: 'unit', unit: 'byte', unitDisplay: 'long' })
    : showNumber(bytes / 1000, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
}

function MailView({ mail }: { mail: InboxMessage }) {
  const words = inboxWords()
  const lines: [string, string][] = [
    [words.from, mail.from],
    [words.to, mail.to.join(', ')],
    [words.cc, mail.cc.join(', ')],
    [words.bcc, mail.bcc.join(', ')],
    [words.replyTo, mail.replyTo.join(', ')],
    [words.messageId, mail.messageId ?? ''],
    [
      words.attachments,
      mail.attachments
        .map(({ filename, size }) => `${filename ?? words.unnamed} (${showSize(size)})`)
        .join(', '),
    ],
  ]
  return (
    <article className="mail" aria-label={mail.subject || words.mail}>
      <dl>
        {lines
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      {mail.html && <MailFrame title={words.asItLooks} html={mail.html} />}
      {mail.text && (
        <section aria-label={words.text}>
          {mail.html && <h2>{words.text}</h2>}
          <pre dir="auto">{mail.text}</pre>
        </section>
      )}
      {mail.headers.length > 0 && (
        <details>
          <summary className="quiet small">{words.headers}</summary>
          <pre className="headers" dir="ltr">
            {mail.headers.join('\n')}
          </pre>
        </details>
      )}
    </article>
  )
}
