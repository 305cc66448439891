import { Buffer } from 'node:buffer'
import type { Mailbox } from './gmail-mailbox.ts'
import { findAttachment, messageResource } from './gmail-message.ts'
import { invalidArgument, notFound } from './google-error.ts'

/** A request as a call of the API reads it. */
export interface GmailRequest {
  mailbox: Mailbox
  /** Parameters of the path, by their names in the template. */
  path: Record<string, string>
  query: URLSearchParams
  body: Record<string, unknown>
  /** The uploaded mail. */
  media?: Buffer
}

export interface GmailCall {
  /** Like `messages.send`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/gmail/v1/users/{userId}`. */
  path: string
  /** Any one of these is enough. */
  scopes: string[]
  /** Whether it is served below `/upload` too. */
  upload?: true
  run(request: GmailRequest): unknown
}

const scope = (name: string) => `https://www.googleapis.com/auth/gmail.${name}`
const everything = 'https://mail.google.com/'
const changing = [everything, scope('modify')]
const reading = [...changing, scope('readonly')]
const listing = [...reading, scope('metadata')]
const drafting = [...changing, scope('compose')]
const mostIds = 1000

/** The calls of `users` that are simulated, with the scopes that the reference lists for each. */
export const gmailCalls: GmailCall[] = [
  {
    name: 'getProfile',
    method: 'GET',
    path: '/profile',
    scopes: [...listing, scope('compose')],
    run: ({ mailbox }) => ({
      emailAddress: mailbox.email,
      messagesTotal: mailbox.mails.size,
      threadsTotal: new Set([...mailbox.mails.values()].map(({ threadId }) => threadId)).size,
      historyId: '1',
    }),
  },
  {
    name: 'messages.list',
    method: 'GET',
    path: '/messages',
    scopes: listing,
    run: ({ mailbox, query }) => {
      const found = mailbox.search({
        q: query.get('q') ?? '',
        labelIds: query.getAll('labelIds'),
        includeSpamTrash: query.get('includeSpamTrash') === 'true',
      })
      return page('messages', found, query, ({ id, threadId }) => ({ id, threadId }))
    },
  },
  {
    name: 'messages.get',
    method: 'GET',
    path: '/messages/:id',
    scopes: listing,
    run: ({ mailbox, path, query }) =>
      messageResource(
        mailbox.mail(path.id ?? ''),
        (query.get('format') ?? 'full').toLowerCase(),
        query.getAll('metadataHeaders'),
      ),
  },
  {
    name: 'messages.send',
    method: 'POST',
    path: '/messages/send',
    scopes: [...drafting, scope('send')],
    upload: true,
    run: (request) => brief(request.mailbox.send(rawOf(request), threadOf(request.body))),
  },
  {
    name: 'messages.modify',
    method: 'POST',
    path: '/messages/:id/modify',
    scopes: changing,
    run: ({ mailbox, path, body }) =>
      brief(mailbox.modify([path.id ?? ''], idsOf(body.addLabelIds), idsOf(body.removeLabelIds))[0]),
  },
  {
    name: 'messages.batchModify',
    method: 'POST',
    path: '/messages/batchModify',
    scopes: changing,
    run: ({ mailbox, body }) => {
      const ids = batchOf(body).filter((id) => mailbox.mails.has(id))
      mailbox.modify(ids, idsOf(body.addLabelIds), idsOf(body.removeLabelIds))
    },
  },
  {
    name: 'messages.batchDelete',
    method: 'POST',
    path: '/messages/batchDelete',
    scopes: [everything],
    // The reference: "Provides no guarantees that messages were not already deleted or even existed at all."
    run: ({ mailbox, body }) => {
      for (const id of batchOf(body)) mailbox.mails.delete(id)
    },
  },
  {
    name: 'messages.trash',
    method: 'POST',
    path: '/messages/:id/trash',
    scopes: changing,
    run: ({ mailbox, path }) => brief(mailbox.modify([path.id ?? ''], ['TRASH'], ['INBOX'])[0]),
  },
  {
    name: 'messages.untrash',
    method: 'POST',
    path: '/messages/:id/untrash',
    scopes: changing,
    run: ({ mailbox, path }) => brief(mailbox.modify([path.id ?? ''], ['INBOX'], ['TRASH'])[0]),
  },
  {
    name: 'messages.delete',
    method: 'DELETE',
    path: '/messages/:id',
    scopes: [everything],
    run: ({ mailbox, path }) => mailbox.remove(path.id ?? ''),
  },
  {
    name: 'messages.attachments.get',
    method: 'GET',
    path: '/messages/:messageId/attachments/:id',
    scopes: reading,
    run: ({ mailbox, path }) => {
      const part = findAttachment(mailbox.mail(path.messageId ?? ''), path.id ?? '')
      if (!part) throw invalidArgument('Invalid attachment token')
      return { size: part.content.length, data: part.content.toString('base64url') }
    },
  },
  {
    name: 'drafts.create',
    method: 'POST',
    path: '/drafts',
    scopes: drafting,
    upload: true,
    run: (request) => {
      const message = objectOf(request.body.message)
      const { id, mail } = request.mailbox.createDraft(
        rawOf({ ...request, body: message }),
        threadOf(message),
      )
      return { id, message: brief(mail) }
    },
  },
  {
    name: 'drafts.get',
    method: 'GET',
    path: '/drafts/:id',
    scopes: [...drafting, scope('readonly')],
    run: ({ mailbox, path, query }) => ({
      id: path.id,
      message: messageResource(mailbox.draft(path.id ?? ''), (query.get('format') ?? 'full').toLowerCase()),
    }),
  },
  {
    name: 'drafts.list',
    method: 'GET',
    path: '/drafts',
    scopes: [...drafting, scope('readonly')],
    run: ({ mailbox, query }) => {
      const found = new Set(mailbox.search({ q: query.get('q') ?? '' }).map(({ id }) => id))
      const drafts = [...mailbox.drafts.entries()].filter(([, mailId]) => found.has(mailId))
      return page('drafts', drafts, query, ([id]) => ({
        id,
        message: { id: mailbox.draft(id).id, threadId: mailbox.draft(id).threadId },
      }))
    },
  },
  {
    name: 'drafts.send',
    method: 'POST',
    path: '/drafts/send',
    scopes: drafting,
    run: ({ mailbox, body }) => brief(mailbox.sendDraft(String(body.id ?? ''))),
  },
  {
    name: 'drafts.delete',
    method: 'DELETE',
    path: '/drafts/:id',
    scopes: drafting,
    run: ({ mailbox, path }) => mailbox.deleteDraft(path.id ?? ''),
  },
  {
    name: 'threads.get',
    method: 'GET',
    path: '/threads/:id',
    scopes: listing,
    run: ({ mailbox, path, query }) => ({
      id: path.id,
      messages: mailbox
        .thread(path.id ?? '')
        .map((mail) =>
          messageResource(
            mail,
            (query.get('format') ?? 'full').toLowerCase(),
            query.getAll('metadataHeaders'),
          ),
        ),
    }),
  },
  {
    name: 'labels.list',
    method: 'GET',
    path: '/labels',
    scopes: [...listing, scope('labels')],
    run: ({ mailbox }) => ({ labels: mailbox.labels }),
  },
  {
    name: 'labels.create',
    method: 'POST',
    path: '/labels',
    scopes: [...changing, scope('labels')],
    run: ({ mailbox, body }) => mailbox.createLabel(body.name),
  },
]

function brief(mail: { id: string; threadId: string; labelIds: Set<string> } | undefined) {
  if (!mail) throw notFound()
  return { id: mail.id, threadId: mail.threadId, labelIds: [...mail.labelIds] }
}

/** One page of a list; an empty list is left out of the response. */
function page<T>(name: string, all: readonly T[], query: URLSearchParams, show: (item: T) => unknown) {
  const asked = Number(query.get('maxResults') ?? 100)
  if (!Number.isInteger(asked) || asked < 0) throw invalidArgument('Invalid value at maxResults')
  const size = Math.min(asked || 100, 500)
  const token = query.get('pageToken') ?? ''
  const from = token === '' ? 0 : Number(/^\d{20}$/.exec(token)?.[0] ?? Number.NaN)
  if (!Number.isInteger(from)) throw invalidArgument('Invalid pageToken')
  const items = all.slice(from, from + size).map(show)
  return {
    ...(items.length > 0 ? { [name]: items } : {}),
    ...(from + size < all.length ? { nextPageToken: String(from + size).padStart(20, '0') } : {}),
    resultSizeEstimate: all.length,
  }
}

function rawOf({ media, body }: Pick<GmailRequest, 'media' | 'body'>): Buffer {
  if (media) return media
  const { raw } = body
  if (typeof raw !== 'string' || raw === '')
    throw invalidArgument(
      "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    )
  if (!/^[\w+/-]*={0,2}$/.test(raw))
    throw invalidArgument('Invalid value at raw (TYPE_BYTES), Base64 decoding failed')
  return Buffer.from(raw, 'base64url')
}

function threadOf({ threadId }: Record<string, unknown>): string | undefined {
  return typeof threadId === 'string' && threadId !== '' ? threadId : undefined
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function batchOf({ ids }: Record<string, unknown>): string[] {
  const given = idsOf(ids)
  if (given.length === 0) throw invalidArgument('No message ids specified')
  if (given.length > mostIds) throw invalidArgument('Too many message ids')
  return given
}
