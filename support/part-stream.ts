import type { ChatUser } from './chat-user.ts'

/** A part of a UI message stream, or a chunk of a completion. */
// biome-ignore lint/suspicious/noExplicitAny: parts of two protocols, looked into by assertions only
export type Part = any

/** An answer as server-sent events, while it arrives. */
export interface PartStream {
  /** Everything that has arrived. */
  readonly parts: Part[]
  /** Resolves to the first part like this, also of those that have arrived. Rejects if the stream ends without one. */
  find(isIt: (part: Part) => boolean): Promise<Part>
  /** Resolves when the stream has ended, however it did. */
  readonly ended: Promise<void>
}

/** Reads a response as it arrives. */
export function readParts(response: Response): PartStream {
  const parts: Part[] = []
  const waiting = new Set<() => void>()
  let isOver = false
  const notify = () => {
    for (const look of waiting) look()
  }
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        if (event.startsWith('data: {')) parts.push(JSON.parse(event.slice('data: '.length)))
      }
      notify()
    }
  }
  const ended = read()
    .catch(() => {})
    .finally(() => {
      isOver = true
      notify()
    })
  return {
    parts,
    ended,
    find: (isIt) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = parts.find(isIt)
          if (found === undefined && !isOver) return
          waiting.delete(look)
          if (found === undefined) reject(new Error(`The stream ended with ${JSON.stringify(parts.at(-1))}`))
          else resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Posts a message to a chat function as AI SDK clients do; resolves when the stream begins. */
export async function streamMessage(
  url: string,
  { token }: Pick<ChatUser, 'token'>,
  { id, text, messageId = crypto.randomUUID() }: { id: string; text: string; messageId?: string },
): Promise<PartStream> {
  const message = { id: messageId, role: 'user', parts: [{ type: 'text', text }] }
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, messages: [message], trigger: 'submit-message' }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return readParts(response)
}
