/**
 * A mail server that speaks the protocol (STARTTLS, AUTH, PIPELINING, SIZE, SMTPUTF8) and misbehaves by script.
 * In its own Node process where it is called from Deno 2.1, which cannot upgrade the server's side of a socket.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { type Certificate, makeCertificate } from '../local/inbox/certificate.ts'

/** Where a script may interfere. `message` is after the dot that ends DATA: the mail has arrived by then. */
export type Stage = 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'message'

/** A reply like `450 4.2.0 busy`, or: never answer; close the connection without an answer. */
export type Action = string | 'hang' | 'drop'

export interface SmtpScript {
  /** Default `starttls`. `plain`: offers no encryption. */
  tls?: 'starttls' | 'implicit' | 'plain'
  /** Actions by stage, one per connection; the last one stays. `null` is the normal answer. */
  on?: Partial<Record<Stage, (Action | null)[]>>
  /** Answers to RCPT by address. */
  recipients?: Record<string, string>
  /** EHLO keywords; default PIPELINING, SIZE, 8BITMIME, SMTPUTF8 and AUTH PLAIN LOGIN. */
  extensions?: string[]
  /** Drop the connection when this many bytes of a mail have arrived. */
  dropAfterBytes?: number
  /** What the answer to DATA, or to a mail that has arrived, waits for. */
  hold?: (stage: 'data' | 'message', mail: ReceivedMail) => Promise<unknown>
}

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it was sent, dots unstuffed. */
  source: string
}

export interface ScriptedSmtpServer {
  port: number
  certificate: Certificate
  /** Every mail whose final dot arrived, also where the script then denied it or said nothing. */
  mails: ReceivedMail[]
  /** Commands in order, AUTH without its secret. */
  commands: string[]
  connections: number
  close(): Promise<void>
}

export const smtpUser = 'ada@example.com'
export const smtpPassword = 'correct horse battery staple'

const defaultExtensions = ['PIPELINING', 'SIZE 20000000', '8BITMIME', 'SMTPUTF8', 'AUTH PLAIN LOGIN']

/** Starts the server in this process. */
export async function startSmtpServer(
  script: SmtpScript = {},
  known?: Certificate,
): Promise<ScriptedSmtpServer> {
  const certificate = known ?? (await makeCertificate())
  const context = createSecureContext({ key: certificate.key, cert: certificate.certificate })
  const state = { mails: [] as ReceivedMail[], commands: [] as string[], connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    const index = state.connections++
    new Conversation(socket, context, index, script, state).begin()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    get mails() {
      return state.mails
    },
    get commands() {
      return state.commands
    },
    get connections() {
      return state.connections
    },
    close: () => closeAll(server, sockets),
  }
}

function closeAll(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}

class Conversation {
  #socket: Socket
  readonly #raw: Socket
  #buffer = ''
  #secure = false
  #inData = false
  #login: 'user' | 'password' | undefined
  #mail: ReceivedMail = { from: '', to: [], source: '' }
  readonly #context: SecureContext
  readonly #index: number
  readonly #script: SmtpScript
  readonly #state: { mails: ReceivedMail[]; commands: string[] }

  constructor(
    socket: Socket,
    context: SecureContext,
    index: number,
    script: SmtpScript,
    state: { mails: ReceivedMail[]; commands: string[] },
  ) {
    this.#socket = socket
    this.#raw = socket
    this.#context = context
    this.#index = index
    this.#script = script
    this.#state = state
  }

  begin(): void {
    this.#raw.on('error', () => {})
    if (this.#script.tls === 'implicit') this.#encrypt()
    else this.#socket.on('data', this.#onData)
    this.#answer('greeting', '220 scripted.test ESMTP')
  }

  #encrypt(): void {
    this.#raw.removeListener('data', this.#onData)
    this.#buffer = ''
    this.#secure = true
    this.#socket = new TLSSocket(this.#raw, { isServer: true, secureContext: this.#context })
    this.#socket.on('error', () => {})
    this.#socket.on('data', this.#onData)
  }

  #onData = (chunk: Buffer): void => {
    this.#buffer += chunk.toString('latin1')
    const limit = this.#script.dropAfterBytes
    if (this.#inData && limit !== undefined && this.#buffer.length >= limit) {
      this.#raw.destroy()
      return
    }
    while (this.#inData ? this.#readMessage() : this.#readLine()) {}
  }

  #readLine(): boolean {
    const end = this.#buffer.indexOf('\r\n')
    if (end < 0) return false
    const line = Buffer.from(this.#buffer.slice(0, end), 'latin1').toString('utf8')
    this.#buffer = this.#buffer.slice(end + 2)
    this.#command(line)
    return true
  }

  #readMessage(): boolean {
    const end = this.#buffer.startsWith('.\r\n') ? 0 : this.#buffer.indexOf('\r\n.\r\n') + 2
    if (end === 1) return false
    const source = this.#buffer.slice(0, end).replace(/^\.\./gm, '.')
    this.#buffer = this.#buffer.slice(end + 3)
    this.#inData = false
    const mail = { ...this.#mail, source: Buffer.from(source, 'latin1').toString('utf8') }
    this.#state.mails.push(mail)
    const answer = () => this.#answer('message', '250 2.0.0 queued')
    this.#hold('message', mail, answer)
    return true
  }

  #command(line: string): void {
    if (this.#login) {
      this.#loginStep(Buffer.from(line, 'base64').toString('utf8'))
      return
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/)
    this.#state.commands.push(verb === 'AUTH' ? line.split(' ').slice(0, 2).join(' ') : line)
    const handle = this.#handlers[verb] ?? (() => this.#send('502 5.5.1 not implemented'))
    handle(line)
  }

  readonly #handlers: Record<string, (line: string) => void> = {
    EHLO: () => this.#answer('ehlo', this.#extensions()),
    STARTTLS: () =>
      this.#script.tls === 'plain'
        ? this.#send('502 5.5.1 not implemented')
        : this.#answer('starttls', '220 2.0.0 go ahead', () => this.#encrypt()),
    AUTH: (line) => this.#authenticate(line),
    MAIL: (line) => {
      this.#mail = { from: path(line), to: [], source: '' }
      this.#answer('mail', '250 2.1.0 ok')
    },
    RCPT: (line) => {
      const address = path(line)
      const reply = this.#script.recipients?.[address]
      if (reply === undefined) this.#answer('rcpt', '250 2.1.5 ok', () => this.#mail.to.push(address))
      else this.#send(reply)
    },
    DATA: () => {
      if (this.#mail.to.length === 0) this.#send('503 5.5.1 no valid recipients')
      else {
        const begin = () =>
          this.#answer('data', '354 go ahead', () => {
            this.#inData = true
          })
        this.#hold('data', this.#mail, begin)
      }
    },
    QUIT: () => {
      this.#send('221 2.0.0 bye')
      this.#socket.end()
    },
  }

  #authenticate(line: string): void {
    const [, method = '', initial = ''] = line.split(' ')
    if (!this.#secure && this.#script.tls !== 'plain') this.#send('538 5.7.11 encryption required')
    else if (method.toUpperCase() === 'LOGIN') {
      this.#login = 'user'
      this.#send('334 VXNlcm5hbWU6')
    } else {
      const [, user, password] = Buffer.from(initial, 'base64').toString('utf8').split('\0')
      this.#settle(user === smtpUser && password === smtpPassword)
    }
  }

  #loginStep(given: string): void {
    if (this.#login === 'user' && given === smtpUser) {
      this.#login = 'password'
      this.#send('334 UGFzc3dvcmQ6')
    } else {
      this.#login = undefined
      this.#settle(given === smtpPassword)
    }
  }

  #settle(right: boolean): void {
    if (right) this.#answer('auth', '235 2.7.0 welcome')
    else this.#send('535 5.7.8 Username and Password not accepted')
  }

  #extensions(): string {
    const keywords = this.#script.extensions ?? defaultExtensions
    const offered = this.#secure || this.#script.tls === 'plain' ? keywords : ['STARTTLS']
    const lines = ['scripted.test', ...offered]
    return lines.map((text, index) => `250${index === lines.length - 1 ? ' ' : '-'}${text}`).join('\r\n')
  }

  #hold(stage: 'data' | 'message', mail: ReceivedMail, then: () => void): void {
    if (this.#script.hold) void this.#script.hold(stage, mail).then(then)
    else then()
  }

  /** The normal answer and what follows from it, unless the script has another one for this connection. */
  #answer(stage: Stage, normal: string, then: () => void = () => {}): void {
    const actions = this.#script.on?.[stage] ?? []
    const action = actions[Math.min(this.#index, actions.length - 1)] ?? null
    if (action === 'hang') return
    if (action === 'drop') {
      this.#raw.destroy()
      return
    }
    this.#send(action ?? normal)
    if (action === null) then()
  }

  #send(reply: string): void {
    this.#socket.write(`${reply}\r\n`)
  }
}

function path(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
