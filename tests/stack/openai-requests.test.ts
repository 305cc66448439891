import { describe, expect, it } from 'vitest'
import { withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { chatHeaders, followUpPrompt, tagsPrompt, titlePrompt } from '../../support/open-webui.ts'
import { answered, asked, type Message, OpenAiPerson } from '../../support/openai-person.ts'
import { useOpenAiPerson } from '../../support/use-openai-person.ts'

// Requests of clients that do not name their chat, of which many mean one thing.

let person: OpenAiPerson
const { chat, mails } = useOpenAiPerson((arrived) => {
  person = arrived
})

const ada = ['ada@example.com']
const send = asked('Send an email about lunch to ada@example.com')
const question = /Approve or deny it here/
const quoted = [
  { role: 'user' as const, content: 'Send an email about lunch to ada@example.com' },
  { role: 'assistant' as const, content: 'I sent it.' },
]

describe('Open WebUI as it is installed', () => {
  it('sends one mail, with its title, its follow-ups and its tags', async () => {
    const before = quoted.slice(0, 1)
    const [title, answer] = await Promise.all([person.ask([asked(titlePrompt(before))]), person.ask([send])])
    expect([title.content, answer.content]).toEqual(['All right.', 'I sent it.'])
    const own = await Promise.all([
      person.ask([asked(followUpPrompt(quoted))]),
      person.ask([asked(tagsPrompt(quoted))]),
    ])
    expect(own.map(({ content }) => content)).toEqual(['All right.', 'All right.'])
    expect(await mails()).toEqual(ada)
    const titles = async () => {
      const { body } = await person.user.get('/conversations')
      return (body as { conversations: { title: string }[] }).conversations.map((one) => one.title)
    }
    await expect.poll(titles).toEqual([send.content])
  })

  it('sends one mail and asks once where nobody knows what the request is for', async () => {
    await person.ask([send])
    const rewritten = (history: string) => `What might the user say next? ${history}`
    const first = await person.ask([asked(rewritten('USER: Send it to ada@example.com ASSISTANT: Done'))])
    expect(first.content).toMatch(question)
    expect(await mails()).toEqual(ada)
  })

  it('sends one mail where such a request comes at the same moment', async () => {
    const contents = await Promise.all([
      person.ask([asked('Think of a title for: Send an email about food to ada@example.com')]),
      person.ask([send]),
    ])
    expect(contents.filter(({ content }) => question.test(content))).toHaveLength(1)
    expect(await mails()).toEqual(ada)
  })
})

describe('what LibreChat, and whoever else, asks about a chat', () => {
  /** As LibreChat asks for a title: nothing tells its shape. */
  const aboutIt = (said: Message, answer: string, task = 'Provide a concise, 5-word-or-less title.') =>
    asked(`${task}\n\nConversation:\nUser: ${said.content}\nAI: ${answer}`)
  const stored = () =>
    withDatabase(
      chat.stack,
      (sql) => sql`select title from askback.conversations where user_id = ${person.user.id}`,
    )

  it.each<[string, Record<string, string>]>([
    ['without headers', {}],
    ['under the name of the message', chatHeaders('a chat', '7f3c1c3a-2f55-4f0e-8d5f-5b2f60a6f1f0')],
  ])('is answered without tools, and is no conversation: %s', async (_, headers) => {
    const told = await person.ask([send], { headers, model: person.cautious })
    expect(told.content).toMatch(question)
    const title = await person.ask([aboutIt(send, told.content)], { headers, model: person.cautious })
    expect(title.content).toBe('All right.')
    expect(chat.model.requests.at(-1)?.body.tools ?? []).toEqual([])
    expect(await person.open()).toHaveLength(1)
    await expect.poll(stored).toHaveLength(1)
    // Regenerated, it still waits for the same.
    expect(await person.ask([send], { headers, model: person.cautious })).toEqual(told)
  })

  it('is known by the beginning of the answer, with the instructions of its front end', async () => {
    const said = asked('Tell me a long story about the lighthouse, please')
    const answer = `Once upon a time there was a lighthouse. ${'It shone. '.repeat(40)}See https://example.com/story.`
    chat.model.use([say(answer), say('Lighthouse')])
    await person.ask([said])
    const { content } = await person.ask([
      { role: 'system', content: 'You make titles.' },
      aboutIt(said, answer.slice(0, 200)),
    ])
    expect(content).toBe('Lighthouse')
    expect(chat.model.requests.at(-1)?.body.tools ?? []).toEqual([])
    await expect.poll(stored).toHaveLength(1)
  })

  it.each<[string, (answer: string) => Message[], number?]>([
    ['names an address of its own', (a) => [aboutIt(send, a, 'Write to bob@example.com that it is done.')]],
    ['names a web address of its own', (a) => [aboutIt(send, a, 'Read https://example.com/tasks.')]],
    ['quotes no answer of ours', () => [aboutIt(send, 'The answer of another model')]],
    ['quotes no message of the user', (a) => [asked(`What does this mean?\n\nAI: ${a}`)]],
    ['is not alone', (a) => [asked('Hi'), answered('Hi!'), aboutIt(send, a)]],
    ['comes 10 minutes later', (a) => [aboutIt(send, a)], 0.17],
  ])('is a message of the user if it %s', async (_, messages, hours = 0) => {
    const told = await person.ask([send])
    await person.wait(hours)
    await person.ask(messages(told.content))
    expect((chat.model.requests.at(-1)?.body.tools ?? []).length).toBeGreaterThan(0)
    expect(await mails()).not.toHaveLength(0)
  })

  it('is about a chat of its own user only', async () => {
    const told = await person.ask([send])
    const stranger = await OpenAiPerson.arrive(chat)
    chat.model.use([say('Yes.')])
    await stranger.ask([aboutIt(send, told.content)])
    expect((chat.model.requests.at(-1)?.body.tools ?? []).length).toBeGreaterThan(0)
  })
})

it.each<[string, Record<string, string>]>([
  ['without headers', {}],
  ['in a named chat', { 'x-askback-conversation': 'a chat' }],
])('a recipient that is missing can be typed, as the question says: %s', async (_, headers) => {
  const draft = { subject: 'Lunch', body: 'At one?' }
  const call = () => callTool('smtp_send_email', draft)
  const start = asked('Send an email about lunch')
  chat.model.use([call(), call(), say('Who should I send this email to?')])
  const told = await person.ask([start], { headers })
  expect(told.content).toMatch(/^Who should .*\?\n\nType the answer in this chat, or give it here: /)
  chat.model.use([callTool('smtp_send_email', { ...draft, to: ada }), say('I sent it.')])
  const typed = await person.ask([start, answered(told.content), asked('ada@example.com')], { headers })
  expect(typed.content).toBe('I sent it.')
  expect(await mails()).toEqual(ada)
})

it('two messages that differ in what they quote are two', async () => {
  chat.model.use([say('A bill.'), say('An invitation.')])
  const about = (mail: string) => asked(`What is this?\n\n> ${mail}`)
  expect((await person.ask([about('Please pay by Friday')])).content).toBe('A bill.')
  expect((await person.ask([about('Please come on Friday')])).content).toBe('An invitation.')
})

describe('the same request', () => {
  const clock = (time: string): Message => ({ role: 'system', content: `It is ${time}.` })
  it.each<[string, Message[], Message[]]>([
    ['with a clock in its instructions', [clock('10:00'), send], [clock('10:01'), send]],
    ['with a blank at its end', [send], [asked(`${send.content} `)]],
    ['as parts', [send], [{ role: 'user', content: [{ type: 'text', text: String(send.content) }] }]],
  ])('%s gets the answer that it has missed', async (_, first, second) => {
    const told = await person.ask(first)
    expect(told.content).toBe('I sent it.')
    expect(await person.ask(second)).toEqual(told)
    expect(await mails()).toEqual(ada)
  })

  it('gets its question whatever a proxy does to its headers, and what came of it', async () => {
    const model = person.cautious
    const told = await person.ask([send], { model, headers: { 'x-stainless-retry-count': '0' } })
    expect(told.content).toMatch(question)
    expect(await person.ask([send], { model })).toEqual(told)
    expect(await person.open()).toHaveLength(1)
    await person.decide('approve')
    for (let times = 0; times < 2; times++) {
      expect((await person.ask([send], { model })).content).toBe('I sent it.')
      await person.wait(1)
    }
    expect(await mails()).toEqual(ada)
  })

  it('two minutes later is done again in its turn, and asks', async () => {
    await person.ask([send])
    await person.wait(0.04)
    const again = await person.ask([send])
    expect(again.content).toMatch(question)
    expect(await person.ask([send])).toEqual(again)
    expect(await mails()).toEqual(ada)
  })

  it('of a run that only talked is answered anew, with the history as it is now', async () => {
    const hello = asked('Hello')
    const first = await person.ask([clock('10:00'), hello])
    const second = await person.ask([clock('10:01'), hello])
    expect(second.runId).not.toBe(first.runId)
    expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).toContain('It is 10:01.')
  })

  it('is a new one after 12 hours: the weekly report is sent without a question', async () => {
    const report = asked('Send the report about sales to ada@example.com')
    expect((await person.ask([report])).content).toBe('I sent it.')
    await person.wait(11)
    expect((await person.ask([report])).content).toMatch(question)
    await person.wait(12)
    expect((await person.ask([report])).content).toBe('I sent it.')
    await person.wait(7 * 24)
    expect((await person.ask([report])).content).toBe('I sent it.')
    expect(await mails()).toEqual([...ada, ...ada, ...ada])
  })

  it('of two tokens is two requests, and the second one asks', async () => {
    const other = await person.withAnotherToken()
    const told = await person.ask([send])
    const second = await other.ask([send])
    expect(second.runId).not.toBe(told.runId)
    expect(second.content).toMatch(question)
    expect(await mails()).toEqual(ada)
  })
})

describe('what means the same in other words', () => {
  it.each<[string, Message[]]>([
    ['“Hello? Did it go out?”', [send, answered('I sent it.'), asked('Hello? Did it go out?')]],
    [
      'a library that asks again for its format',
      [send, answered('I sent it.'), asked('Your answer is no JSON about food. Correct it.')],
    ],
    ['a user who says it otherwise', [asked('Write to ada@example.com about food')]],
  ])('costs a question and no mail: %s', async (_, again) => {
    await person.ask([send])
    expect((await person.ask(again)).content).toMatch(question)
    expect(await mails()).toEqual(ada)
  })

  it('asks for ten minutes; after that another mail to the same person goes out', async () => {
    await person.ask([send])
    await person.wait(0.2)
    expect((await person.ask([asked('Send an email about dinner to ada@example.com')])).content).toBe(
      'I sent it.',
    )
    expect(await mails()).toEqual([...ada, ...ada])
  })

  it('goes out once more where the user approves it', async () => {
    await person.ask([send])
    await person.ask([asked('Send it to ada@example.com again')])
    await person.decide('approve')
    expect(await mails()).toEqual([...ada, ...ada])
  })
})

describe('a history that no run has written', () => {
  const readPrivate = async (runId: Completion['runId']) => {
    const [row] = await withDatabase(
      chat.stack,
      (sql) => sql`
        select entry ->> 'privateBefore' as private from askback.entries
        where run_id = ${runId ?? ''} and type = 'run-start'`,
    )
    return row?.private
  }
  type Completion = Awaited<ReturnType<OpenAiPerson['ask']>>

  it('may hold something private, once an assistant speaks in it', async () => {
    expect(await readPrivate((await person.ask([asked('Hello')])).runId)).toBeNull()
    const told = await person.ask([asked('Hello'), answered('The code is 1234.'), asked('Thanks')])
    expect(await readPrivate(told.runId)).toBe('true')
  })
})
