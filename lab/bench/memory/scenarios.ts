import { randomBytes, randomUUID } from 'node:crypto'
import type { ChatUser } from '../../../support/chat-user.ts'
import { makePdf } from '../../../support/pdf.ts'

/** Something that takes memory. It resolves to the statuses of its requests. */
export interface MemoryScenario {
  name: string
  run(chat: MeasuredChat): Promise<number[]>
}

const mib = 1024 * 1024

/** A user's requests to a chat function that is measured. */
export class MeasuredChat {
  private readonly url: string
  private readonly user: ChatUser

  constructor(url: string, user: ChatUser) {
    this.url = url
    this.user = user
  }

  async request(
    path: string,
    init: RequestInit & { type?: string } = {},
  ): Promise<{ status: number; text: string }> {
    const { type = 'application/json', ...rest } = init
    const headers = { authorization: `Bearer ${this.user.token}`, 'content-type': type }
    const response = await fetch(`${this.url}/chat${path}`, { ...rest, headers })
    return { status: response.status, text: await response.text() }
  }

  /** A message as AI SDK clients send it, whose answer is a stream. */
  async say(
    parts: readonly object[],
    { id = randomUUID(), before = [] }: { id?: string; before?: readonly object[] } = {},
  ) {
    const message = { id: randomUUID(), role: 'user', parts }
    const body = JSON.stringify({ id, messages: [...before, message], trigger: 'submit-message' })
    return (await this.request('', { method: 'POST', body })).status
  }

  async upload(bytes: Uint8Array<ArrayBuffer>, type: string, name: string) {
    const query = new URLSearchParams({ name })
    return await this.request(`/files?${query}`, { method: 'POST', body: new Blob([bytes]), type })
  }
}

const text = { type: 'text', text: 'What is in it?' }
/** A picture as far as its first bytes tell, and no other one. */
function picture(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(size))
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return bytes
}
function asData(bytes: Uint8Array, mediaType: string) {
  const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
  return { type: 'file', mediaType, filename: 'a', url }
}
const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => make(index))

async function inTurn<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let done = 0; done < count; done++) results.push(await work())
  return results
}

/** Answers of the model that scenarios ask for by their words. */
export const longAnswer = 'Write a long answer.'

export const memoryScenarios: readonly MemoryScenario[] = [
  {
    name: 'four uploads of 5 MiB in turn',
    run: (chat) => inTurn(4, async () => (await chat.upload(picture(5 * mib), 'image/png', 'a.png')).status),
  },
  {
    name: 'four messages in turn with a picture of 5 MiB, as data URLs',
    run: (chat) => inTurn(4, () => chat.say([asData(picture(5 * mib), 'image/png'), text])),
  },
  {
    name: 'two pictures of 5 MiB in a message, as data URLs',
    run: async (chat) => [await chat.say([...times(2, () => asData(picture(5 * mib), 'image/png')), text])],
  },
  {
    name: 'two pictures of 5 MiB in a message, uploaded before',
    async run(chat) {
      const uploads = await Promise.all(times(2, () => chat.upload(picture(5 * mib), 'image/png', 'a.png')))
      const files = uploads.map(({ text }) => ({ type: 'file', ...JSON.parse(text).file }))
      return [await chat.say([...files, text])]
    },
  },
  {
    name: 'ten uploads of 5 MiB at once',
    async run(chat) {
      const all = times(10, () => chat.upload(picture(5 * mib), 'image/png', 'a.png'))
      return (await Promise.all(all)).map(({ status }) => status)
    },
  },
  {
    name: 'ten messages with a picture of 5 MiB at once, as data URLs',
    run: (chat) => Promise.all(times(10, () => chat.say([asData(picture(5 * mib), 'image/png'), text]))),
  },
  {
    name: 'ten messages with two uploaded pictures of 5 MiB at once',
    async run(chat) {
      const uploads = await inTurn(20, () => chat.upload(picture(5 * mib), 'image/png', 'a.png'))
      const files = uploads.map(({ text }) => ({ type: 'file', ...JSON.parse(text).file }))
      return await Promise.all(
        times(10, (index) => chat.say([...files.slice(2 * index, 2 * index + 2), text])),
      )
    },
  },
  {
    name: 'ten pictures of 5 MiB read at once',
    async run(chat) {
      const uploads = await inTurn(10, () => chat.upload(picture(5 * mib), 'image/png', 'a.png'))
      const links = uploads.map(({ text }) => new URL(JSON.parse(text).file.url))
      const all = links.map(({ pathname, search }) =>
        chat.request(`${pathname.replace('/functions/v1/chat', '')}${search}`),
      )
      return (await Promise.all(all)).map(({ status }) => status)
    },
  },
  {
    name: '30 MiB of small parts in the history that a client sends',
    async run(chat) {
      const part = { type: 'text', text: 'word '.repeat(10) }
      const count = Math.floor((30 * mib) / (JSON.stringify(part).length + 1) / 100)
      const before = times(100, (index) => ({
        id: `m${index}`,
        role: 'assistant',
        parts: times(count, () => part),
      }))
      return [await chat.say([text], { before })]
    },
  },
  {
    name: 'ten streams at once, each an answer of 1 MB',
    run: (chat) => Promise.all(times(10, () => chat.say([{ type: 'text', text: longAnswer }]))),
  },
  {
    name: 'a conversation with three answers of 1 MB',
    run(chat) {
      const id = randomUUID()
      return inTurn(3, () => chat.say([{ type: 'text', text: longAnswer }], { id }))
    },
  },
  {
    name: 'a message in a conversation of 1,000 messages, and reading it',
    async run(chat) {
      const statuses = [await chat.say([text], { id: 'long' })]
      for (let before = ''; ; ) {
        const { status, text } = await chat.request(`/conversations/long${before && `?before=${before}`}`)
        statuses.push(status)
        const { next } = JSON.parse(text)
        if (next === undefined) return statuses
        before = encodeURIComponent(next)
      }
    },
  },
  {
    name: 'a PDF of 5 MiB',
    async run(chat) {
      const pdf = Buffer.concat([Buffer.from(makePdf(['The minutes.'])), Buffer.alloc(5 * mib - 2000, '\n')])
      const { text: uploaded } = await chat.upload(new Uint8Array(pdf), 'application/pdf', 'a.pdf')
      return [await chat.say([{ type: 'file', ...JSON.parse(uploaded).file }, text])]
    },
  },
]
