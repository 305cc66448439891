import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectSmtp } from './chat-user.ts'
import { type ReceivedMail, type SmtpScript, smtpPassword, smtpUser, startSmtpServer } from './smtp-server.ts'
import type { TestStack } from './stack.ts'

/** A mail server outside of a stack: it keeps what has arrived over a restart, and may take its time to say so. */
export interface SlowMailServer {
  mails: ReceivedMail[]
  /** Mails that have arrived for somebody. */
  mailsTo(address: string): ReceivedMail[]
  /** Makes a stack trust its certificate: before the stack starts a function, and again after each restart. */
  trustIn(stack: Pick<TestStack, 'dataDirectory'>): void
  /** Stores a connection to it. */
  connect(stack: TestStack, userId: string): Promise<void>
  close(): Promise<void>
}

export async function startSlowMailServer(hold: NonNullable<SmtpScript['hold']>): Promise<SlowMailServer> {
  const server = await startSmtpServer({ hold })
  return {
    get mails() {
      return server.mails
    },
    mailsTo: (address) => server.mails.filter(({ to }) => to.includes(address)),
    trustIn: ({ dataDirectory }) =>
      appendFileSync(join(dataDirectory, 'inbox-authority.pem'), `\n${server.certificate.authority}`),
    connect: (stack, userId) =>
      connectSmtp(stack, userId, { port: server.port, user: smtpUser, password: smtpPassword }),
    close: () => server.close(),
  }
}

/** Milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
