import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { chatHeaders } from '../../support/open-webui.ts'
import { answered, asked, eagerModel, type Message, OpenAiPerson } from '../../support/openai-person.ts'
import { useOpenAiPerson } from '../../support/use-openai-person.ts'

// A chat that was forked or cloned in the front end: another name, with messages of the same ids.

let person: OpenAiPerson
let message: string
const { chat, mails } = useOpenAiPerson((arrived) => {
  person = arrived
  message = randomUUID()
})

const ada = 'ada@example.com'
const send = asked('Send an email about lunch to ada@example.com')
const question = /Approve or deny it here/

interface Where {
  name?: string
  id?: string
  model?: string
}
/** Regenerates the message in a chat of this name. */
const ask = (said: Message[], { name = randomUUID(), id = message, model = person.agent }: Where = {}) =>
  person.ask(said, { headers: chatHeaders(name, id), model })

describe('the same message in another named chat', () => {
  it('gets its answer for two minutes; then its writes ask, in whichever chat', async () => {
    const told = await ask([send], { name: 'original' })
    expect(await ask([send], { name: 'fork' })).toEqual(told)
    expect(await ask([asked('Hi'), answered('Hi!'), send], { name: 'clone' })).toEqual(told)
    await person.wait(0.04)
    for (const name of ['fork', 'original', 'clone']) {
      expect((await ask([send], { name })).content).toMatch(question)
    }
    expect(await person.open()).toHaveLength(1)
    expect(await mails()).toEqual([ada])
  })

  it('gets the question that it has led to, and then its outcome', async () => {
    const model = person.cautious
    const told = await ask([send], { model })
    expect(told.content).toMatch(question)
    expect(await ask([send], { model })).toEqual(told)
    expect(await person.open()).toHaveLength(1)
    await person.decide('approve')
    expect((await ask([send], { model })).content).toBe('I sent it.')
    expect(await mails()).toEqual([ada])
  })

  it('joins the run that is answering it', async () => {
    const { opened: released, open: release } = gate()
    const arrived = chat.model.waitForRequest(chat.model.requests.length + 1)
    chat.model.use(async (request) => {
      await released
      return eagerModel(request)
    })
    const first = ask([send])
    await arrived
    const copies = [ask([send]), ask([send])]
    release()
    const told = await Promise.all([first, ...copies])
    expect(new Set(told.map(({ runId }) => runId)).size).toBe(1)
    expect(await mails()).toEqual([ada])
  })

  it('sends one mail where many chats regenerate it at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => ask([send])))
    expect(await mails()).toEqual([ada])
  })

  it('asks where the process died that had sent its mail, and where nobody knows whether it has', async () => {
    const told = await ask([send])
    await withDatabase(chat.stack, async (sql) => {
      const id = told.runId ?? ''
      await sql`update askback.runs set status = 'interrupted' where id = ${id}`
      await sql`delete from askback.entries where run_id = ${id} and type in ('result', 'run-end')`
    })
    expect((await ask([send])).content).toMatch(question)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.tool_executions set status = 'unknown' where run_id = ${told.runId ?? ''} and status = 'succeeded'`,
    )
    await person.decide('deny')
    await person.wait(0.04)
    expect((await ask([send], { model: person.cautious })).content).toMatch(question)
    expect(await mails()).toEqual([ada])
  })

  it('is answered anew by another agent, whose writes ask', async () => {
    await ask([send])
    const other = await ask([send], { model: person.cautious })
    expect(other.content).toMatch(/Already .*\n*.* again\?/s)
    expect(await mails()).toEqual([ada])
  })

  it('was edited there and back: what it has sent still asks', async () => {
    await ask([send], { name: 'original' })
    await ask([asked('Send an email about lunch to bob@example.com')], { name: 'fork' })
    await person.wait(0.04)
    expect((await ask([send], { name: 'fork' })).content).toMatch(question)
    expect(await mails()).toEqual([ada, 'bob@example.com'])
  })
})

describe('another message in another chat', () => {
  it.each<[string, Message[], { id?: string; hours?: number }]>([
    ['has another id', [send], { id: 'another id of a message' }],
    ['comes 12 hours later', [send], { hours: 12.1 }],
  ])('if it %s: its mail goes out', async (_, said, { id = message, hours = 0.04 }) => {
    await ask([send])
    await person.wait(hours)
    expect((await ask(said, { id })).content).toBe('I sent it.')
    expect(await mails()).toEqual([ada, ada])
  })

  it('if its id is one that any chat may give: “1”', async () => {
    await ask([send], { id: '1' })
    await person.wait(0.04)
    expect((await ask([send], { id: '1' })).content).toBe('I sent it.')
  })

  it('if its words or its files are others', async () => {
    chat.model.use(eagerModel)
    const told = await ask([asked('Hello')])
    expect((await ask([asked('Hello there')])).runId).not.toBe(told.runId)
    expect((await ask([send])).content).toBe('I sent it.')
    const url = `data:text/plain;base64,${Buffer.from('Plan').toString('base64')}`
    const withFile: Message = {
      role: 'user',
      content: [
        { type: 'text', text: String(send.content) },
        { type: 'file', file: { filename: 'plan.txt', file_data: url } },
      ],
    }
    expect((await ask([withFile])).content).not.toBe('')
  })

  it('of another person under the same id is theirs', async () => {
    await ask([send])
    const stranger = await OpenAiPerson.arrive(chat)
    const told = await stranger.ask([send], { headers: chatHeaders('c', message) })
    expect(told.content).toBe('I sent it.')
    expect(await mails()).toEqual([ada, ada])
  })
})
