import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '../process/free-port.ts'
import type { Certificate } from './certificate.ts'
import type { InboxMessage } from './inbox-message.ts'
import { readMessage } from './message.ts'

/** A mail server on this machine that delivers nothing: every mail stays here for you to read. */
export interface Inbox {
  host: string
  port: number
  user: string
  password: string
  /** Oldest first. */
  messages(): InboxMessage[]
  /** Adds a mail that did not arrive by SMTP. */
  add(message: InboxMessage): void
  clear(): void
  close(): Promise<void>
}

/** Mails are only kept in memory, and no more than this: the oldest ones are dropped. */
const capacity = 1000
const maxMailBytes = 40 * 1024 * 1024
/** Its sender cannot know whether a mail to such an address has arrived: the first reply to each is lost, as on a bad line. */
const losesReply = /^lost-reply@/i

/** Accepts mail as real servers do: only after STARTTLS and with user and password. */
export async function startInbox(options: {
  port: number
  user: string
  password: string
  certificate: Certificate
}): Promise<Inbox> {
  const { user, password, certificate } = options
  const messages: InboxMessage[] = []
  const unanswered = new Set<string | null>()
  const add = (message: InboxMessage): void => {
    messages.push(message)
    if (messages.length > capacity) messages.shift()
  }
  const server = new SMTPServer({
    key: certificate.key,
    cert: certificate.certificate,
    banner: 'Askback test inbox',
    size: maxMailBytes,
    disableReverseLookup: true,
    closeTimeout: 500,
    onAuth({ username, password: given }, _session, done) {
      if (username === user && isEqual(given ?? '', password)) done(null, { user: username })
      else done(Object.assign(new Error('Invalid user or password'), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const envelope = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
      }
      buffer(stream)
        .then(async (source) => {
          if (stream.sizeExceeded) {
            throw Object.assign(new Error(`Message is larger than ${maxMailBytes} bytes`), {
              responseCode: 552,
            })
          }
          const message = await readMessage(source, envelope)
          add(message)
          const isLost = envelope.to.some((to) => losesReply.test(to)) && !unanswered.has(message.messageId)
          if (!isLost) return done()
          unanswered.add(message.messageId)
          for (const connection of server.connections)
            if (connection.id === session.id) connection._socket.destroy()
        })
        .catch(done)
    },
  })
  const host = '127.0.0.1'
  const port = await listen(server, options.port && (await findFreePort(options.port)), host)
  return {
    host,
    port,
    user,
    password,
    messages: () => messages,
    add,
    clear: () => void messages.splice(0),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function listen(server: SMTPServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // A client that disconnects is not an error of ours.
  server.on('error', (error) => console.error(`[inbox] ${error.message}`))
  return (server.server.address() as AddressInfo).port
}

function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
