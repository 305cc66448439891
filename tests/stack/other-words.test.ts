import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { callTool, type ModelServerRequest, say } from '../../support/model-server.ts'
import { chatHeaders } from '../../support/open-webui.ts'
import { answered, asked, type Message, OpenAiPerson } from '../../support/openai-person.ts'
import { useStarted } from '../../support/use-started.ts'

// A model that writes to Ada whatever it is told, each time in other words.

const chat = useStarted(() => startChatStack())
let person: OpenAiPerson

beforeEach(async () => {
  await chat.stack.inbox.clear()
  person = await OpenAiPerson.arrive(chat)
  rewording('Hello.')
})

const ada = 'ada@example.com'
const first = `Write to ${ada} about lunch`
const also = 'Also tell her that the room is 4.12'
const withRoom = 'Hi Ada,\n\nThe room is 4.12.\n\nBye'

let subjects = 0

function rewording(body: string): void {
  chat.model.use(({ body: { messages } }: ModelServerRequest) =>
    messages?.at(-1)?.role === 'tool'
      ? say('I sent it.')
      : callTool('smtp_send_email', { to: [ada], subject: `Subject no. ${++subjects}`, body }),
  )
}

const mails = async () => (await chat.stack.inbox.messages()).length

/** Whoever tells something in a chat is told what it has led to. */
type Tell = (text: string, more?: { model?: string }) => Promise<string>

/** A chat in our app. */
function ourChat(): Tell {
  const id = randomUUID()
  return async (text, { model = person.agent } = {}) => {
    const { answer } = await person.user.post({ id, message: text, agentId: model })
    return answer.pending?.at(-1)?.question ?? ''
  }
}

/** A chat of an OpenAI client, which keeps its history. */
function clientChat(headersOf: () => Record<string, string>, history: Message[] = []): Tell {
  return async (text, { model = person.agent } = {}) => {
    history.push(asked(text))
    const { content } = await person.ask(history, { headers: headersOf(), model })
    history.push(answered(content))
    return content
  }
}

function namedChat(history?: Message[]): Tell {
  const name = randomUUID()
  return clientChat(() => chatHeaders(name, randomUUID()), history)
}

const asWell = /Sent "Subject no\. \d+" to .* UTC\..* as well\?/s

describe.each([
  ['in our app', ourChat],
  ['in a chat that an OpenAI client names', () => namedChat()],
  ['in one without a name', () => clientChat(() => ({}))],
])('%s', (_, open) => {
  it.each(['Thanks!', 'What happened?', first, 'Danke dir!', '谢谢你', 'ありがとうございます', 'شكرا لك'])(
    'a reworded mail asks after "%s", and goes after a yes',
    async (text) => {
      const tell = open()
      await tell(first)
      await person.wait(0.25)
      expect(await tell(text)).toMatch(asWell)
      expect(await mails()).toBe(1)
      await person.decide('approve')
      expect(await mails()).toBe(2)
    },
  )

  it('one that says what was typed since goes unasked, and the next one asks', async () => {
    const tell = open()
    await tell(first)
    await person.wait(0.25)
    rewording(withRoom)
    await tell(also)
    expect(await mails()).toBe(2)
    await person.wait(0.25)
    expect(await tell('Thanks!')).toMatch(asWell)
    expect(await mails()).toBe(2)
  })

  it('of an agent that asks before each mail, such a one asks no more than that', async () => {
    const tell = open()
    const model = person.cautious
    await tell(first, { model })
    await person.decide('approve')
    await person.wait(0.25)
    rewording(withRoom)
    const question = await tell(also, { model })
    expect(question).toMatch(/Send "Subject no\. \d+"/)
    expect(question).not.toMatch(/as well|again/)
    await person.decide('approve')
    expect(await mails()).toBe(2)
  })
})

it('the same words in two tabs at once send nothing more', async () => {
  const tell = ourChat()
  await tell(first)
  await Promise.all([tell(first), tell(first)])
  expect(await mails()).toBe(1)
})

it('an edit that is sent under a new id asks, and what is typed after it goes', async () => {
  const name = randomUUID()
  const ask = (said: Message[]) =>
    person.ask(said, { headers: chatHeaders(name, randomUUID()), model: person.agent })
  await ask([asked(first)])
  rewording('About lunch today')
  const edited = `${first} today`
  expect((await ask([asked(edited)])).content).toMatch(asWell)
  rewording(withRoom)
  await ask([asked(edited), answered('It waits.'), asked(also)])
  expect(await mails()).toBe(2)
})

it('an edit in our app asks', async () => {
  const id = randomUUID()
  const text = (value: string) => ({ role: 'user', parts: [{ type: 'text', text: value }] })
  await person.user.post({ id, agentId: person.agent, messages: [{ id: 'm1', ...text(first) }] })
  rewording('About lunch today')
  await person.user.post({
    id,
    agentId: person.agent,
    messageId: 'm1',
    messages: [{ id: 'm1', ...text(`${first} today`) }],
  })
  expect(await person.open()).toHaveLength(1)
  expect(await mails()).toBe(1)
})

it('a copy of a chat asks where it goes on, unless something new was typed there', async () => {
  const history: Message[] = []
  await namedChat(history)(first)
  expect(await namedChat([...history])('Thanks!')).toMatch(asWell)
  expect(await mails()).toBe(1)
  rewording(withRoom)
  await namedChat([...history])(also)
  expect(await mails()).toBe(2)
})
