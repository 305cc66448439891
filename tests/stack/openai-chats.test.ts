import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expireLeases, withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTool, say } from '../../support/model-server.ts'
import { chatHeaders, followUpPrompt, titlePrompt, withDocument } from '../../support/open-webui.ts'
import { answered, asked, eagerModel, type Message, type OpenAiPerson } from '../../support/openai-person.ts'
import { useOpenAiPerson } from '../../support/use-openai-person.ts'
import { withoutTime } from '../../support/without-time.ts'

// Chats that a client names by its headers, as Open WebUI does with the lines of the page "OpenAI clients".

let person: OpenAiPerson
let name: string
const { chat, mails } = useOpenAiPerson((arrived) => {
  person = arrived
  name = randomUUID()
})

const ada = 'ada@example.com'
const bob = 'bob@example.com'
const send = asked('Send an email about lunch to ada@example.com')
const toBob = asked('And one to bob@example.com')
const sent = answered('I sent it.')
const question = /Approve or deny it here/

/** A message of the chat, under the name that its front end gives it. */
const ask = async (messages: Message[], message: string, model = person.agent) =>
  person.ask(messages, { headers: chatHeaders(name, message), model })
const conversations = async () => {
  const { body } = await person.user.get('/conversations')
  return (body as { conversations: { id: string; title: string }[] }).conversations
}
const shown = async () => {
  const [one] = await conversations()
  const { body } = await person.user.get(`/conversations/${one?.id}`)
  return (body as { messages: { role: string; parts: { type: string; text?: string }[] }[] }).messages.map(
    ({ parts }) => parts.map(({ text = '' }) => text).join(''),
  )
}
const read = () => chat.model.requests.at(-1)?.body.messages ?? []

describe('a chat that its client names', () => {
  it('is one conversation in the app, with all that its front end asks for besides', async () => {
    await Promise.all([
      person.ask([asked(titlePrompt([{ role: 'user', content: 'Hi' }]))], {
        headers: chatHeaders(name, 'm1', 'title_generation'),
      }),
      ask([send], 'm1'),
    ])
    await Promise.all(
      ['follow_up_generation', 'tags_generation'].map((task) =>
        person.ask([asked('Something for ada@example.com in words of its own')], {
          headers: chatHeaders(name, 'm1', task),
        }),
      ),
    )
    await ask([send, sent, toBob], 'm2')
    expect(await mails()).toEqual([ada, bob])
    await expect.poll(conversations).toHaveLength(1)
    expect((await conversations())[0]).toMatchObject({
      id: expect.stringMatching(/^openai-[0-9a-f]{40}$/),
      title: send.content,
    })
    expect(await shown()).toEqual([send.content, 'I sent it.', toBob.content, 'I sent it.'])
  })

  it('keeps its history at the client: a model reads that and nothing else, once', async () => {
    await ask([{ role: 'system', content: 'Be brief.' }, asked('Hello')], 'm1')
    await ask(
      [{ role: 'system', content: 'Be brief.' }, asked('Hello'), answered('Hi!'), asked('And?')],
      'm2',
    )
    expect(
      read()
        .map(({ role, content }) => [role, withoutTime(content)])
        .slice(1),
    ).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'And?'],
    ])
    expect(String(read()[0]?.content).match(/Be brief\./g)).toHaveLength(1)
    // Whoever goes on in the app reads what was said there until now.
    const [one] = await conversations()
    await person.user.post({ message: 'In the app', conversationId: one?.id })
    expect(
      read()
        .map(({ role }) => role)
        .slice(1),
    ).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  })

  it('is known by what Open WebUI forwards, too, and is another one with another token', async () => {
    const headers = { 'x-openwebui-chat-id': name }
    await person.ask([send], { headers })
    await person.ask([send, sent, toBob], { headers })
    const other = await person.withAnotherToken()
    await other.ask([asked('Hello')], { headers })
    expect((await conversations()).map(({ title }) => title)).toEqual(['Hello', send.content])
  })

  it('asks once more where its messages have no names and one may be its front end’s own', async () => {
    const headers = { 'x-openwebui-chat-id': name }
    const about = (subject: string) =>
      chat.model.use(({ body }) =>
        body.messages.at(-1)?.role === 'tool'
          ? say('I sent it.')
          : callTool('smtp_send_email', { to: [ada], subject, body: 'Hello.' }),
      )
    about('Lunch')
    await person.ask([send], { headers })
    about('Dinner')
    const { content } = await person.ask([send, sent, asked('What could I ask next, ada@example.com?')], {
      headers,
    })
    expect(content).toMatch(question)
    expect(await mails()).toEqual([ada])
  })

  it('is called by the words of its user where a document stands before them', async () => {
    await ask([asked(withDocument('Contact: carol@example.com', 'What is in the plan?'))], 'm1')
    expect((await conversations())[0]?.title).toBe('What is in the plan?')
  })
})

describe('the same message', () => {
  it('gets its answer for two minutes, also to “Regenerate”; then it asks', async () => {
    const told = await ask([send], 'm1')
    expect(await ask([send], 'm1')).toEqual(told)
    await person.wait(0.04)
    expect((await ask([send], 'm1')).content).toMatch(question)
    expect(await mails()).toEqual([ada])
    expect(await shown()).toHaveLength(2)
  })

  it('to several models at once is a run of each, and one mail', async () => {
    const answers = await Promise.all([ask([send], 'm1'), ask([send], 'm1', person.cautious)])
    expect(answers.map(({ content }) => question.test(content))).toEqual([false, true])
    expect(await mails()).toEqual([ada])
    expect(await person.open()).toHaveLength(1)
  })

  it('with other words is an edit: “Edit”, “Save”, “Regenerate” closes what was asked before', async () => {
    await ask([toBob], 'm1', person.cautious)
    await ask([send], 'm1', person.cautious)
    const open = await person.open()
    expect(open).toHaveLength(1)
    expect(await shown()).toHaveLength(2)
    await person.decide('approve')
    expect(await mails()).toEqual([ada])
  })

  it('with words of the front end behind it, “More Concise”, sends nothing twice', async () => {
    await ask([send], 'm1')
    const again = await ask([send, sent, asked('More Concise')], 'm1')
    expect(again.content).toMatch(question)
    expect(await mails()).toEqual([ada])
  })

  it('quoted under its own name leaves open what it has asked', async () => {
    await ask([send], 'm1', person.cautious)
    chat.model.use([say('Lunch')])
    const unknown = `A title, please.\n\nConversation:\nUser: ${send.content}\nAI: Shall I?`
    expect((await ask([asked(unknown)], 'm1', person.cautious)).content).toBe('Lunch')
    await person.decide('approve')
    expect(await mails()).toEqual([ada])
  })

  it('after other words that quote it, a title, gets its answer still', async () => {
    const title = asked(`A title, please.\n\nConversation:\nUser: ${send.content}\nAI: Shall I?`)
    const told = await ask([send], 'm1')
    chat.model.use([say('Lunch')])
    await ask([title], 'm1')
    chat.model.use(eagerModel)
    expect(await ask([send], 'm1')).toEqual(told)
    await person.wait(0.04)
    const again = await ask([send], 'm1')
    expect(again.content).toMatch(question)
    expect(await shown()).toEqual([send.content, again.content.split('\n')[0]])
    expect(await mails()).toEqual([ada])
  })

  it('is answered after whatever came under its name before: edits, titles, other agents', async () => {
    const words: Record<string, string> = {
      A: String(send.content),
      B: `A title, please.\n\nConversation:\nUser: ${send.content}\nAI: Shall I?`,
      C: 'Send an email',
      D: 'Another thing',
    }
    let number = 0
    chat.model.use(() => say(`Answer ${++number}.`))
    for (const order of ['ABA', 'ABCA', 'ABABA', 'ACABA', 'ABDBA', 'ABaAb', 'abACa']) {
      name = randomUUID()
      for (const one of order) {
        const model = one < 'a' ? person.agent : person.cautious
        const text = words[one.toUpperCase()] ?? ''
        const { content } = await ask([asked(text)], 'm1', model)
        expect([order, content]).toEqual([order, `Answer ${number}.`])
        expect([order, withoutTime(read().at(-1)?.content)]).toEqual([order, text])
      }
    }
  })

  it('with other words is an edit of each answer that its name has, whichever agent gave it', async () => {
    await ask([toBob], 'm1', person.cautious)
    const another = await person.anotherAgent('always')
    await ask([toBob], 'm1', another)
    expect(await shown()).toHaveLength(4)
    await ask([asked('Hello')], 'm1', person.cautious)
    expect(await person.open()).toEqual([])
    expect(await shown()).toEqual(['Hello', 'All right.'])
  })

  it.each([false, true])('continued sends the rest alone (stream: %s)', async (stream) => {
    const headers = chatHeaders(name, 'm1')
    await ask([send], 'm1')
    const messages = [send, answered('I sent')]
    const rest = stream
      ? await person.askForStream(messages, { headers })
      : (await person.ask(messages, { headers })).content
    expect(rest).toBe(' it.')
    expect(await mails()).toEqual([ada])
  })
})

describe('what runs', () => {
  /** A model that is asked for something slow until it is let go. */
  function slowModel() {
    const { opened: released, open: release } = gate()
    const seen = chat.model.requests.length
    chat.model.use(async (request) => {
      if (JSON.stringify(request.body.messages.at(-1)).includes('Slowly')) await released
      return say('Done.')
    })
    return { arrived: chat.model.waitForRequest(seen + 1), release }
  }

  it('is stopped by another message, where the client names both', async () => {
    const model = slowModel()
    const slow = ask([asked('Slowly')], 'm1')
    await model.arrived
    expect((await ask([asked('Quickly')], 'm2')).content).toBe('Done.')
    expect((await slow).content).toMatch(/^Another message came/)
    model.release()
  })

  it.each<[string, string, string]>([
    ['a message that is not named', 'm1', ''],
    ['another message, if it has no name itself', '', 'm2'],
    ['other words under its name', 'm1', 'm1'],
  ])('goes on beside %s', async (_, first, second) => {
    const model = slowModel()
    const slow = ask([asked('Slowly')], first)
    await model.arrived
    expect((await ask([asked('Quickly')], second)).content).toBe('Done.')
    model.release()
    expect((await slow).content).toBe('Done.')
  })
})

describe('what became of something', () => {
  const done = 'Sent "lunch" to "ada@example.com".'
  const hello = asked('Hello')

  it('approved in the app is told before any next answer, until the client has heard it', async () => {
    const told = await ask([send], 'm1', person.cautious)
    await person.decide('approve')
    const history = [send, answered(told.content), hello]
    chat.model.use([say('Hi!')])
    const next = await ask(history, 'm2', person.cautious)
    expect(next.content).toBe(`${done}\n\nHi!`)
    expect(JSON.stringify(read())).toContain('Sent \\"lunch\\"')
    // As long as its history does not hold the sentence: regenerated, and in another branch.
    chat.model.use([say('Hi again!'), say('Hm.')])
    expect((await ask(history, 'm2', person.cautious)).content).toBe(`${done}\n\nHi again!`)
    expect((await ask([hello], 'm3', person.cautious)).content).toBe(`${done}\n\nHm.`)
    chat.model.use([say('Yes.'), say('No.')])
    const heard = [...history, answered(next.content), asked('Really?')]
    expect((await ask(heard, 'm4', person.cautious)).content).toBe('Yes.')
    // Also where the client has forgotten it since.
    expect((await ask([asked('What?')], 'm5', person.cautious)).content).toBe('No.')
  })

  it('is told piece by piece, and to the request that has asked', async () => {
    await ask([send], 'm1', person.cautious)
    await person.decide('approve')
    const headers = chatHeaders(name, 'm1')
    expect(await person.askForStream([send], { headers, model: person.cautious })).toBe(
      `${done}\n\nI sent it.`,
    )
  })

  it('denied is told', async () => {
    await ask([send], 'm1', person.cautious)
    chat.model.use([say('Fine.'), say('Hi!')])
    await person.decide('deny')
    expect((await ask([hello], 'm2', person.cautious)).content).toBe(
      'Not done, because you denied it: Send "lunch" to "ada@example.com".\n\nHi!',
    )
  })

  it('expired is told', async () => {
    await ask([send], 'm1', person.cautious)
    await person.wait(8 * 24)
    chat.model.use([say('Hi!')])
    expect((await ask([hello], 'm2', person.cautious)).content).toBe(
      'Not done, because nobody approved it in time: Send "lunch" to "ada@example.com".\n\nHi!',
    )
  })

  it('done by a run whose process died is told', async () => {
    const told = await ask([send], 'm1')
    await withDatabase(chat.stack, async (sql) => {
      await sql`update askback.runs set status = 'interrupted' where id = ${told.runId ?? ''}`
      await sql`delete from askback.entries where run_id = ${told.runId ?? ''} and type in ('result', 'run-end')`
    })
    await expireLeases(chat.stack, person.user.id)
    chat.model.use([say('Hi!')])
    expect((await ask([send, hello], 'm2')).content).toBe(`${done}\n\nHi!`)
  })

  it('is not told in another chat, or without one', async () => {
    await ask([send], 'm1', person.cautious)
    await person.decide('approve')
    chat.model.use(() => say('Hi!'))
    expect((await person.ask([hello], { headers: chatHeaders('another', 'm2') })).content).toBe('Hi!')
    expect((await person.ask([hello])).content).toBe('Hi!')
  })
})

describe('an answer in the history', () => {
  const isPrivate = async (runId: string | null | undefined) => {
    const [row] = await withDatabase(
      chat.stack,
      (sql) => sql`
        select entry ->> 'privateBefore' as private from askback.entries
        where run_id = ${runId ?? ''} and type = 'run-start'`,
    )
    return row?.private === 'true'
  }

  it('is known where a run of the chat has written it, as far as it was heard', async () => {
    chat.model.use([say('The answer is long.'), say('So it is.'), say('Ah.'), say('Hm.')])
    const first = asked('Question?')
    await person.askForStream([first], { headers: chatHeaders(name, 'm1') })
    const second = [first, answered('The answer is long.'), asked('And?')]
    expect(await isPrivate((await ask(second, 'm2')).runId)).toBe(false)
    // Stopped by its reader.
    const third = [first, answered('The answer is'), asked('Well?')]
    expect(await isPrivate((await ask(third, 'm3')).runId)).toBe(false)
    const fourth = [first, answered('The secret is 1234.'), asked('Well?')]
    expect(await isPrivate((await ask(fourth, 'm4')).runId)).toBe(true)
  })
})

it('a placeholder that nobody has filled in names no chat, of which is told', async () => {
  const { response } = await person.client.chat.completions
    .create(
      { model: person.agent, messages: [send] },
      { headers: chatHeaders('{{CHAT_ID}}', 'm1', '{{TASK}}') },
    )
    .withResponse()
  expect(response.headers.get('x-askback-ignored')).toBe('headers')
  expect(await mails()).toEqual([ada])
})

it('an approval of a named chat continues in it: the model corrects what waits', async () => {
  await ask([send], 'm1', person.cautious)
  chat.model.use([callTool('smtp_send_email', { to: [ada], subject: 'lunch', body: 'At one.' })])
  const again = [send, answered('Shall I?'), asked('At one, please, to ada@example.com')]
  expect((await ask(again, 'm2', person.cautious)).content).toMatch(question)
  expect(await person.open()).toHaveLength(1)
})

it('follow-ups that nobody recognises under the same message send nothing twice', async () => {
  await ask([send], 'm1')
  const rewritten = followUpPrompt([{ role: 'user', content: String(send.content) }]).replaceAll('#', '')
  expect((await ask([asked(rewritten)], 'm1')).content).toMatch(question)
  expect(await mails()).toEqual([ada])
})
