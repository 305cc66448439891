import { Buffer } from 'node:buffer'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { FailurePlan } from './faults.ts'
import { performBatch } from './gmail-batch.ts'
import { type GmailCall, gmailCalls } from './gmail-calls.ts'
import { Mailbox } from './gmail-mailbox.ts'
import { GoogleApiError, type GoogleError, googleError, googleFailures } from './google-error.ts'
import { readMimeTree } from './mime-tree.ts'

/** The account and scopes of an access token; undefined if it is unknown or has expired. */
export type AccountOf = (accessToken: string) => { email: string; scopes: string[] } | undefined

export interface GmailSimulator {
  /** Answers below `/gmail/v1`, `/upload/gmail/v1` and `/batch/gmail/v1`; needs the bindings of `@hono/node-server`. */
  app: Hono<{ Bindings: HttpBindings }>
  /** Created at the first access. */
  mailbox(email: string): Mailbox
  faults: FailurePlan
}

const service = 'gmail.googleapis.com'
/** Bytes: an upload, and any other body (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send). */
const largestUpload = 36_700_160
const largestBody = 10_485_760

/**
 * The Gmail API (https://developers.google.com/workspace/gmail/api/reference/rest), with mailboxes in memory. It is for
 * this machine alone: whoever serves it listens on loopback. A mail to an address that has a mailbox here arrives there.
 */
export function createGmailSimulator({ accountOf }: { accountOf: AccountOf }): GmailSimulator {
  const mailboxes = new Map<string, Mailbox>()
  const mailbox = (email: string) => {
    const key = email.toLowerCase()
    const found = mailboxes.get(key) ?? new Mailbox(email)
    mailboxes.set(key, found)
    return found
  }
  const faults = new FailurePlan()
  const app = new Hono<{ Bindings: HttpBindings }>()
  type SimulatorContext = Context<{ Bindings: HttpBindings }>

  app.onError((error, c) => {
    console.error('[gmail simulator]', error)
    return errorResponse(c, googleError(500, 'backendError', 'Backend Error'))
  })
  app.notFound((c) => c.html(`<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>`, 404))

  /** The mailbox of a request. */
  function authorise(c: SimulatorContext, { scopes }: Pick<GmailCall, 'scopes'>): Mailbox {
    const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const account = token === undefined ? undefined : accountOf(token)
    if (!account) throw failure('authError')
    if (!scopes.some((scope) => account.scopes.includes(scope))) throw failure('insufficientPermissions')
    const user = c.req.param('userId') ?? 'me'
    if (user !== 'me' && user.toLowerCase() !== account.email.toLowerCase()) throw failure('delegationDenied')
    return mailbox(account.email)
  }

  function answer(c: SimulatorContext, call: GmailCall, isUpload: boolean): Promise<Response> {
    return faults.answer(call.name, {
      read: async () => Buffer.from(await c.req.arrayBuffer()),
      perform: (bytes) => perform(c, call, bytes, isUpload),
      cut: () => c.env.incoming.socket.destroy(),
    })
  }

  function perform(c: SimulatorContext, call: GmailCall, bytes: Buffer, isUpload: boolean): Response {
    try {
      const box = authorise(c, call)
      if (bytes.length > (isUpload ? largestUpload : largestBody)) throw failure('uploadTooLarge')
      const result = call.run({
        mailbox: box,
        path: c.req.param() as Record<string, string>,
        query: new URL(c.req.url).searchParams,
        ...readBody(c, bytes, isUpload),
      })
      deliver(call, box)
      return result === undefined ? c.body(null, 204) : c.json(result)
    } catch (error) {
      if (error instanceof GoogleApiError) return errorResponse(c, error.error)
      throw error
    }
  }

  /** Delivers what was just sent to other accounts of this simulator. */
  function deliver({ name }: GmailCall, from: Mailbox): void {
    const mail = name === 'messages.send' || name === 'drafts.send' ? from.sent.at(-1) : undefined
    if (!mail) return
    const addresses = mail.tree.headers
      .filter(({ name }) => /^(?:to|cc|bcc)$/i.test(name))
      .flatMap(({ value }) => value.toLowerCase().split(/[\s<>,;"]/))
    for (const address of new Set(addresses)) mailboxes.get(address)?.deliver(mail.raw)
  }

  for (const call of gmailCalls) {
    app.on(call.method, `/gmail/v1/users/:userId${call.path}`, (c) => answer(c, call, false))
    if (call.upload)
      app.on(call.method, `/upload/gmail/v1/users/:userId${call.path}`, (c) => answer(c, call, true))
  }
  app.post('/batch/gmail/v1', (c) =>
    faults.answer('batch', {
      read: () => c.req.raw,
      perform: (request) => performBatch(request, (part) => app.fetch(part, c.env)),
      cut: () => c.env.incoming.socket.destroy(),
    }),
  )
  return { app, mailbox, faults }
}

function failure(reason: keyof typeof googleFailures): GoogleApiError {
  const make = googleFailures[reason]
  if (!make) throw new Error(`There is no failure "${reason}".`)
  return new GoogleApiError(make(service))
}

/** `uploadType=media`: just the mail; `multipart`: its resource as JSON, then the mail. */
function readBody(c: Context, bytes: Buffer, isUpload: boolean) {
  if (!isUpload) return { body: readJson(bytes) }
  const type = c.req.header('content-type') ?? ''
  if (!type.startsWith('multipart/')) return { body: {}, media: bytes }
  const [resource, mail] = readMimeTree(
    Buffer.concat([Buffer.from(`Content-Type: ${type}\r\n\r\n`), bytes]),
  ).parts
  return { body: readJson(resource?.content ?? Buffer.from('')), media: mail?.content ?? Buffer.from('') }
}

function readJson(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new GoogleApiError(googleError(400, 'parseError', 'Parse Error'))
  }
}

function errorResponse(c: Context, { status, body, headers }: GoogleError): Response {
  return c.json(body, status as 400, headers)
}
