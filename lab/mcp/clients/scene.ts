import type { Asked, CallResult, Client, Mode, Reply } from './client.ts'
import type { Person } from './person.ts'
import type { Stage } from './stage.ts'

/** A client at work for its user. */
export interface Scene {
  stage: Stage
  person: Person
  client: Client
  /** How it can ask. */
  modes: readonly Mode[]
  /** What lets it in. */
  token: string
  connect(asks: readonly Mode[], onAsked?: (asked: Asked) => Promise<Reply>): Promise<void>
  /** A mail that no other step sends. */
  mailOf(step: string): Mail
  /** How many of a mail are in the inbox. */
  sent(mail: Mail): Promise<number>
}

export interface Mail extends Record<string, unknown> {
  to: string[]
  subject: string
  body: string
}

export const send = 'smtp_send_email'

export function makeScene(
  parts: Pick<Scene, 'stage' | 'person' | 'client' | 'modes'> & { name: string },
): Scene {
  const { stage, client, name } = parts
  const scene: Scene = {
    ...parts,
    token: '',
    connect: (asks, onAsked = async () => ({ action: 'decline' })) =>
      client.connect({ url: stage.url, token: scene.token, asks }, onAsked),
    mailOf: (step) => ({ to: [`${step}@example.com`], subject: `${name}: ${step}`, body: 'Hello' }),
    async sent({ subject }) {
      const mails = await stage.stack.inbox.messages()
      return mails.filter((mail) => mail.subject === subject).length
    },
  }
  return scene
}

/** What the client's model reads. */
export function textOf({ content }: CallResult): string {
  return content.map(({ text }) => text).join('\n')
}
