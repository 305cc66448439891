import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createConversationApp, createSender, mail } from '../../../support/conversation-app.ts'
import { numbered, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import type { Ask } from '../../../support/function-app.ts'
import { liftLimits } from '../../../support/lift-limits.ts'
import { stepEnd } from '../../../support/long-conversation.ts'
import {
  callTool,
  type ModelServer,
  type ModelServerReply,
  say,
  startModelServer,
} from '../../../support/model-server.ts'
import { useDatabase } from '../../../support/use-database.ts'
import { withoutTime } from '../../../support/without-time.ts'

const { database, db } = useDatabase()
let model: ModelServer
let ask: Ask
let user: string
let id: string

const sentence = 'It says what was agreed, and by whom, and what is left. '
const document = {
  document_id: 'doc-4711',
  title: 'The contract',
  content: `${sentence.repeat(1100)} Written by kim@example.org. ${sentence.repeat(1200)}`,
  // In full width letters, no brief keeps it as an address.
  more: `${sentence.repeat(50)} Ｌｅａ＠example.org ${sentence.repeat(50)}`,
}

beforeAll(async () => {
  await liftLimits(database.sql)
  model = await startModelServer([])
  ask = createConversationApp(db, model, async () => Response.json({ ok: true, data: document }))
})
afterAll(() => model?.close())
beforeEach(async () => {
  for (const stream of ['log', 'error'] as const) vi.spyOn(console, stream).mockImplementation(() => {})
  user = await createSender(db)
  id = `long-${randomUUID()}`
})

/** What the user writes, and what the model answers; returns the answer and the last request. */
async function turn(message: string, ...replies: ModelServerReply[]) {
  model.use(replies)
  const { json, status, text } = await ask(user, 'POST', '', { id, message })
  expect(status, text).toBe(200)
  return { answer: json, messages: model.requests.at(-1)?.body.messages ?? [] }
}

const reading = (document_id: string) => callTool('docs_read_document', { document_id })
const writing = (to: string) => callTool('smtp_send_email', { ...mail, to: [to] })

/** The same conversation without a model. */
function held(): DatabaseConversation {
  return Object.assign(new DatabaseConversation(db, user), { id })
}

/** Turns that were held before, as many as that. */
async function talk(count: number, first = 'Hello'): Promise<void> {
  for (let number = 0; number < count; number++) {
    const text = number === 0 ? first : `And ${number}?`
    const { runId } = await held().post({ messages: [userMessage(randomUUID(), text)] })
    const words = { type: 'model-text', text: `Answer ${number}` }
    await db.finish(runId, { entries: numbered([{ type: 'step-start' }, words, stepEnd]) })
  }
}

describe('a conversation with long documents', () => {
  test('reaches the model after two of 128 KiB, with a brief of each', async () => {
    await turn('Ada is my sister.', say('Nice.'))
    const first = await turn('Read both.', reading('doc-4711'), reading('doc-4712'), say('Read.'))
    expect(JSON.stringify(first.messages).length).toBeGreaterThan(200_000)
    const { messages } = await turn('What did I say of Ada?', say('Your sister.'))
    expect(withoutTime(messages[1]?.content)).toBe('Ada is my sister.')
    const results = messages.filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(2)
    for (const { content } of results) {
      expect(content).toMatch(/"document_id":"doc-4711","title":"The contract"/)
      expect(content).toContain('kim@example.org')
      expect(content).toMatch(/brief of an earlier output.*call the tool again/)
    }
    expect(JSON.stringify(messages).length).toBeLessThan(10_000)
  })

  test('does not keep them in each request while something of their turn is open', async () => {
    await turn(
      'Read it, and write to ada@example.com.',
      reading('doc-4711'),
      reading('doc-1'),
      writing('ada@example.com'),
    )
    const { answer, messages } = await turn('Wait a moment.', say('I wait.'))
    expect(answer.pending).toHaveLength(1)
    expect(JSON.stringify(messages)).toContain('waits for the user to approve it')
    expect(JSON.stringify(messages).length).toBeLessThan(10_000)
  })

  test('gives what was stored without a brief as one', async () => {
    await turn('Read it.', reading('doc-4711'), say('Read.'))
    await database.sql`update askback.entries set brief = null where user_id = ${user}`
    const { messages } = await turn('And?', say('That is all.'))
    expect(JSON.stringify(messages)).toContain('brief of an earlier output')
    expect(JSON.stringify(messages).length).toBeLessThan(10_000)
  })

  test('asks for an approval of an address that stands only where a brief leaves it out', async () => {
    await turn('Read it.', reading('doc-4711'), say('Read.'))
    const { answer } = await turn('Write to her.', writing('lea@example.org'))
    expect(answer.pending).toMatchObject([{ type: 'approval', code: 'approve_origin' }])
  })

  test('gives the whole to the turn that has asked for it, also where that goes on', async () => {
    const { answer } = await turn(
      'Read it, and write to ada@example.com.',
      reading('doc-4711'),
      writing('ada@example.com'),
    )
    model.use([say('Sent.')])
    const [{ approvalId, toolCallId }] = answer.pending
    await ask(user, 'POST', `/${id}/approval`, { approvalId, toolCallId, decision: 'approve' })
    const last = JSON.stringify(model.requests.at(-1)?.body.messages)
    expect(last.length).toBeGreaterThan(100_000)
    expect(last).not.toContain('brief of an earlier output')
  })
})

describe('a long text of the user', () => {
  const paste = `Write to ada@example.com.\n${'All that was said in the meeting. '.repeat(7000)}\nOr to kim@example.org.`

  test('is read whole once, and later from its beginning and its end', async () => {
    const first = await turn(paste, say('Read.'))
    expect(withoutTime(first.messages[1]?.content)).toBe(paste)
    const { messages } = await turn('And?', say('That is all.'))
    const content = withoutTime(messages[1]?.content)
    expect(content.length).toBeLessThan(40_000)
    expect(content).toMatch(/^Write to ada.*left out here.*kim@example\.org\.$/s)
  })

  test('is known in all its parts, as far as it is not quoted', async () => {
    const middle = 'All that was said. '.repeat(3000)
    await turn(`${middle} Write to ada@example.com. ${middle}`, say('Read.'))
    await turn(`<mail>${middle} From bob@example.com. </mail>${middle}`, say('Read.'))
    const known = await turn('Do it.', writing('ada@example.com'))
    expect(known.answer.pending).toMatchObject([{ type: 'approval', code: 'approve' }])
    const quoted = await turn('Do it.', writing('bob@example.com'))
    expect(quoted.answer.status).toBe('needs_approval')
    expect(JSON.stringify(quoted.answer.pending)).toContain('what your message quotes')
  })
})

describe('300 messages later', () => {
  const ada = 'Ada is ada@example.com, and her phone is 0170 1234567.'

  test('an address of the first one is known, and the model is told how many messages it does not read', async () => {
    await talk(150, ada)
    const { answer, messages } = await turn('Write to her.', writing('Ada@Example.com'))
    expect(answer.pending).toMatchObject([{ type: 'approval', code: 'approve' }])
    const count = messages.filter(({ role }) => role === 'user').length
    expect(count).toBeGreaterThanOrEqual(20)
    expect(withoutTime(messages[1]?.content)).toMatch(
      /^\(Not from the user: 2[4-6]\d earlier messages of this conversation are not shown here\.\)\n\nAnd \d+\?$/,
    )
  })

  test('an address that nobody has said is asked for', async () => {
    await talk(40, ada)
    const { answer } = await turn('Write to her.', writing('eve@example.com'))
    expect(answer.status).toBe('needs_input')
    expect(JSON.stringify(answer.pending)).toContain('You have not told me')
  })

  test('an address that was edited away is not known', async () => {
    await talk(40)
    const chat = held()
    await chat.exchange('cut', ada, 'Noted.')
    const edited = await chat.post({ messageId: 'cut', messages: [userMessage('cut', 'Never mind.')] })
    await db.finish(edited.runId)
    await talk(32)
    const { answer } = await turn('Write to her.', writing('ada@example.com'))
    expect(answer.status).toBe('needs_input')
  })

  test('an address that was only quoted needs an approval that says so', async () => {
    await talk(40, `What is this?\n> ${ada}`)
    const { answer } = await turn('Write to her.', writing('ada@example.com'))
    expect(answer.pending).toMatchObject([{ type: 'approval', code: 'approve_origin' }])
  })

  test('requests begin alike until the beginning moves by 20 messages', async () => {
    await talk(40)
    const beginnings: string[] = []
    for (let number = 0; number < 22; number++) {
      const { messages } = await turn(`Further ${number}?`, say('Yes.'))
      beginnings.push(JSON.stringify(messages.slice(1, 30)))
    }
    const runs = beginnings.filter((beginning, index) => beginning !== beginnings[index - 1])
    expect(runs.length).toBeLessThanOrEqual(4)
    expect(runs.length).toBeGreaterThanOrEqual(3)
  })

  test('a web address of the first one may be written into a document', async () => {
    await talk(40, 'The plan is at https://plan.example.org/q3.')
    await turn('Read it.', reading('doc-4711'), say('Read.'))
    const make = (title: string, link: string) =>
      turn(
        `Make a document "${title}" with the link.`,
        callTool('docs_create_document', { title, content: `See ${link}` }),
        say('Made.'),
      )
    const known = await make('Quarterly plan', 'https://plan.example.org/q3')
    expect(known.answer.status).toBe('completed')
    const foreign = await make('Another plan', 'https://plan.example.org/q4')
    expect(foreign.answer.pending).toMatchObject([{ code: 'approve_outside_addresses' }])
  })

  test('an address is known that a form was filled in with', async () => {
    const { answer } = await turn(
      'Write to her.',
      callTool('smtp_send_email', { subject: 'Hi', body: 'At ten.' }),
      say('To whom?'),
    )
    const [{ itemId, toolCallId }] = answer.pending
    const values = { to: ['ada@example.com'] }
    const filled = await ask(user, 'POST', `/${id}/answer`, { itemId, toolCallId, values })
    const [{ approvalId }] = filled.json.pending
    const denied = { approvalId, toolCallId, decision: 'deny' }
    model.use([say('Then not.')])
    const ended = await ask(user, 'POST', `/${id}/approval`, denied)
    expect([ended.status, ended.json.status, ended.json.pending]).toEqual([200, 'completed', undefined])
    await talk(40)
    const later = await turn('Write to her again.', writing('ada@example.com'))
    expect(later.answer.pending).toMatchObject([{ type: 'approval', code: 'approve' }])
  })
})
