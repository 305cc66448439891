import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formerFaults, requests } from '../../../support/arbitrary-requests.ts'
import {
  AttackedConversation,
  expectAnswer,
  expectUsable,
  type Person,
} from '../../../support/attacked-conversation.ts'
import { answerByWords, createConversationApp, createSender } from '../../../support/conversation-app.ts'
import type { Ask } from '../../../support/function-app.ts'
import { liftLimits } from '../../../support/lift-limits.ts'
import { type ModelServer, startModelServer } from '../../../support/model-server.ts'
import { isTestAll } from '../../../support/test-all.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let model: ModelServer
let ask: Ask

beforeAll(async () => {
  await liftLimits(database.sql)
  model = await startModelServer([])
  answerByWords(model)
  ask = createConversationApp(db, model)
})
afterAll(() => model?.close())

async function createPerson(): Promise<Person> {
  const user = await createSender(db)
  return { user, ask: (...given) => ask(user, ...given) }
}

test('whatever POSTs say, the conversation can be read, listed, continued and deleted afterwards', {
  timeout: isTestAll ? 3_600_000 : 180_000,
}, async () => {
  for (const stream of ['log', 'error'] as const) vi.spyOn(console, stream).mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(requests, async (planned) => {
      const person = await createPerson()
      const attacked = await AttackedConversation.create(person, await createPerson(), db.service)
      for (const request of planned) expectAnswer(await attacked.send(request))
      const { status } = await person.ask('GET', `/conversations/${attacked.id}`)
      const isDeleted = planned.some(({ kind }) => kind === 'delete') && status === 404
      if (!isDeleted) await expectUsable(person, attacked.id)
    }),
    {
      examples: formerFaults.map((planned) => [planned]),
      numRuns: formerFaults.length + (isTestAll ? 1000 : 25),
    },
  )
})

test('a conversation in which an earlier version has left a message without a word can be used like any other', async () => {
  const person = await createPerson()
  const { id } = await AttackedConversation.create(person, await createPerson(), db.service)
  const emptied = await database.sql`
    delete from askback.entries e using askback.messages m
    where m.user_id = ${person.user} and m.conversation_id = ${id} and m.role = 'assistant'
      and (e.user_id, e.conversation_id, e.message_id) = (m.user_id, m.conversation_id, m.id)
    returning e.message_id`
  expect(emptied).not.toEqual([])
  await expectUsable(person, id)
})
