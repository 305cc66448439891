import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { type EarlierClaim, isSameWrite, meaningOf } from '../../../shared/engine/loop/run/sameness.ts'
import { mailTool, writeOf } from '../../../support/claimed-write.ts'
import { type Answer, sent, userEntry } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import cases from '../../../support/same-writes.json' with { type: 'json' }
import { useDatabase } from '../../../support/use-database.ts'

// The rule stands once in TypeScript and once in SQL. Whoever changes one of them changes these cases.

const { db } = useDatabase()

const text = { type: 'string' }
const properties = { title: text, body: text, color: text, folder: text }
const tools: Record<string, ToolSpecification> = {
  mail: mailTool,
  draft: { ...mailTool, name: 'gmail_create_draft', repeats: true },
  note: {
    name: 'create_note',
    description: 'Notes.',
    effect: 'write',
    parameters: { type: 'object', properties },
  },
}
const hourMs = 3_600_000

type Case = (typeof cases)[number]

const toolOf = ({ tool }: Case): ToolSpecification => tools[tool] ?? mailTool

test.each(cases)('in memory: $name', (one) => {
  const tool = toolOf(one)
  const compared = ({ arguments: args, repetition }: Case['write']) => ({
    ...meaningOf(tool, args),
    arguments: args,
    repetition,
  })
  const earlier: EarlierClaim = {
    ...compared(one.earlier),
    status: one.status as EarlierClaim['status'],
    ageMs: one.hours * hourMs,
    isOfTurn: one.turn === 'same',
    isAfterItem: one.afterItem,
  }
  expect(isSameWrite(earlier, { ...compared(one.write), isNamed: one.named })).toBe(one.same)
})

test.each(cases)('in the database: $name', async (one) => {
  const tool = toolOf(one)
  const chat = new DatabaseConversation(db, await db.createUser())
  const first = await begin(chat, one)
  const { arguments: args, repetition } = one.earlier
  const claim = await db.call('claim_invocation', first.runId, writeOf(tool, args, { repetition }))
  if (one.status !== 'running') {
    await db.call('settle_invocation', chat.user, claim.invocationId, one.status, sent, 5)
  }
  const [made] = await db.service`
    update tool_executions set created_at = created_at - make_interval(secs => ${one.hours * 3600})
    where id = ${claim.invocationId} returning created_at as at`
  let turn = first
  if (one.turn === 'later') {
    await db.finish(first.runId)
    turn = await begin(chat, one)
  }
  const itemAskedAt = new Date(made?.at.getTime() - 1000)
  const write = writeOf(tool, one.write.arguments, {
    repetition: one.write.repetition,
    ...(one.afterItem ? { itemAskedAt } : {}),
  })
  const [found] = await db.service`
    select (askback_private.same_write(r, given.write, given.write -> 'arguments')).id as id
    from runs r, (select ${JSON.stringify(write)}::text::json as write) given where r.id = ${turn.runId}`
  expect(found?.id).toBe(one.same ? claim.invocationId : null)
})

/** A turn of its own; of a client that does not name its chat, a request of its own. */
async function begin(chat: DatabaseConversation, { named }: Case): Promise<Answer> {
  if (named) return await chat.postText(randomUUID(), 'Write.')
  const agentId = await db.call('askback_private.choose_agent', chat.user, null, null)
  const request = { runId: randomUUID(), key: randomUUID(), agentId, words: 'Write.', answers: [] }
  const { reply } = await db.call('begin_completion', chat.user, {
    ...request,
    messages: [{ entry: userEntry('Write.') }],
  })
  return reply
}
