import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { connectGmail } from '../../support/connect-google.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../support/gmail-server.ts'
import { callTool, fail, type ModelServerRequest, say } from '../../support/model-server.ts'

/** What of a conversation of 300 messages is still there for the last of them. */
let chat: ChatStack
let gmail: GmailServer

beforeAll(async () => {
  gmail = await startGmailServer()
  chat = await startChatStack({ GMAIL_API_BASE_URL: gmail.url })
}, 120_000)
afterAll(async () => {
  await chat?.stop()
  await gmail?.close()
})

const window = 32_768
const model = 'a-model-of-32k'
const client = 'grace@clients.example.org'
const document = Array.from(
  { length: 900 },
  (_, at) => `Clause ${at}: the parties agree on item ${at}.`,
).join('\n')
const paste = 'The minutes of the meeting were read, and nobody had anything to add. '.repeat(700)

type Reply = ReturnType<typeof say>
/** What the model does for a message of the user: a call, or words. */
type Doing = Parameters<typeof callTool> | string

/** Tokens of a request, by the server's own count: four characters are one. */
const tokensOf = ({ body }: ModelServerRequest) =>
  Math.ceil(JSON.stringify([body.messages, body.tools]).length / 4)

/** vLLM's refusal, in its words (vllm-project/vllm, entrypoints/openai). */
function refusal(tokens: number) {
  const message = `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens in the messages, Please reduce the length of the messages.`
  return fail(400, { body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 } })
}

/** A person at work with a model that refuses what it cannot read. */
class Work {
  readonly user: ChatUser
  readonly email: string
  /** Whether each request was refused, in order, with what it held. */
  readonly requests: { isRefused: boolean; body: ModelServerRequest['body']; newest: string }[] = []
  private readonly id = randomUUID()
  private messages = 0

  private constructor(user: ChatUser, email: string) {
    this.user = user
    this.email = email
  }

  static async begin(): Promise<Work> {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'never')
    const email = `ada-${randomUUID().slice(0, 8)}@gmail.com`
    await connectGmail(chat.stack, user.id, gmail, { email, scopes: [gmailScopes.all] })
    await withDatabase(
      chat.stack,
      (sql) => sql`insert into askback.agent_llm_preferences (agent_id, model) values (${agentId}, ${model})`,
    )
    return new Work(user, email)
  }

  async say(message: string, doing: Doing = 'Noted.') {
    chat.model.use((request): Reply => {
      const tokens = tokensOf(request)
      const isRefused = tokens > window
      this.requests.push({ isRefused, body: request.body, newest: message })
      if (isRefused) return refusal(tokens)
      const usage = { usage: { prompt_tokens: tokens, completion_tokens: 10 } }
      if (typeof doing === 'string') return say(doing, usage)
      const isDone = request.body.messages.at(-1)?.role === 'tool'
      return isDone ? say('Done.', usage) : callTool(...doing)
    })
    const { answer } = await this.user.post({ id: this.id, message, messageId: `m-${++this.messages}` })
    return answer
  }

  /** A few turns of small talk. */
  async chat(turns: number) {
    for (let turn = 0; turn < turns; turn++)
      await this.say(`And what about point ${this.messages}?`, 'That is fine.')
  }

  /** A document is made and read: the next turn no longer needs it whole. */
  async readDocument(title: string) {
    const made = await this.say(`Make a document with the title ${title}.`, [
      'docs_create_document',
      { title, content: document },
    ])
    expect(made).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    const { document_id } = (made.toolsUsed[0] as { output: unknown }).output as { document_id: string }
    const read = await this.say('Read it to me.', ['docs_read_document', { document_id }])
    expect(read.toolsUsed).toMatchObject([{ ok: true }])
  }
}

const writeToClient: Doing = [
  'gmail_send_email',
  { to: [client], subject: 'Contract', body: 'The contract is ready.' },
]

/** Ada asks something by mail, it is read, and five turns later it is answered. */
async function answerMail(work: Work) {
  const asked = gmail
    .mailbox(work.email)
    .deliver(
      'From: linus@example.net\r\nMessage-ID: <q@x>\r\nSubject: Lunch\r\n\r\nWhen shall we have lunch?',
    )
  await work.say('What is new in my mail?', [
    'gmail_read_emails',
    { message_ids: [asked.id], include_body: true },
  ])
  await work.chat(5)
  return await work.say('Tell Linus: at noon.', [
    'gmail_send_email',
    { to: ['linus@example.net'], subject: 'Re: Lunch', body: 'At noon.', reply_to_message_id: asked.id },
  ])
}

const outcome = ({ status, text, toolsUsed, pending }: Awaited<ReturnType<Work['say']>>) => ({
  status,
  text,
  tools: toolsUsed.map(({ toolName, ok }) => [toolName, ok]),
  asked: pending?.map(({ type, question }) => [type, question]),
})

/** What was said first, and something that is asked and stays open: nobody has said this address. */
async function beginWithOpenItem(): Promise<Work> {
  const work = await Work.begin()
  await work.say(`Our client is Grace, ${client}.`)
  const open = await work.say('Write to somebody.', [
    'gmail_send_email',
    { to: ['nobody@example.com'], subject: 'Hello', body: 'Hello.' },
  ])
  expect(open.status).toBe('needs_input')
  return work
}

async function finish(work: Work) {
  const reply = outcome(await answerMail(work))
  return {
    reply,
    mail: outcome(await work.say('Write to our client that the contract is ready.', writeToClient)),
  }
}

it('300 messages with documents, a paste and an open item are answered, and what was said first is known at the end', async () => {
  const expected = await finish(await beginWithOpenItem())
  expect(expected.mail.tools).toEqual([['gmail_send_email', true]])

  const work = await beginWithOpenItem()
  await work.chat(8)
  await work.say(`Here are the minutes: ${paste}`)
  for (let part = 0; part < 6; part++) {
    await work.chat(20)
    await work.readDocument(`Contract ${part}`)
  }
  expect(await finish(work)).toEqual(expected)
  const sent = gmail.mailbox(work.email).sent.map(({ raw }) => raw.toString())
  expect(sent.filter((raw) => raw.includes(client))).toHaveLength(1)

  const { requests } = work
  expect(requests.length).toBeGreaterThan(150)
  expect(requests.filter(({ isRefused }, at) => isRefused && requests[at - 1]?.isRefused)).toEqual([])
  for (const { body, newest } of requests) {
    expect(body.messages[0]?.role).toBe('system')
    expect(body.messages[0]?.content).toBe(requests[0]?.body.messages[0]?.content)
    expect(JSON.stringify(body.messages)).toContain(newest.slice(0, 60))
  }
  expect(JSON.stringify(requests.at(-1)?.body.messages)).not.toContain(`told me "${client}"`)
}, 300_000)
