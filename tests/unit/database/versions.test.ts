import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { schemaVersion } from '../../../shared/server/version.ts'
import { numbered, question, userEntry, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { becomeVersion } from '../../../support/schema-version.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})
afterEach(() => becomeVersion(database.sql, schemaVersion))

const next = schemaVersion + 1
const tables = ['conversations', 'messages', 'entries', 'runs', 'open_items', 'tool_executions', 'agents']
const stored = async () =>
  Promise.all(
    tables.map(async (table) =>
      (await db.service`select * from ${db.service(table)} t order by t::text`).map(String),
    ),
  )

test('the code is of the version of the schema, which also accepts the one before', async () => {
  expect(await db.call('version')).toEqual({
    schema: schemaVersion,
    accepts: [schemaVersion - 1, schemaVersion],
  })
})

describe('code of another version', () => {
  const versions = [schemaVersion - 2, schemaVersion + 1, String(schemaVersion), null, undefined]

  test.each(versions)('%j starts nothing', async (version) => {
    const agentId = await db.call('askback_private.choose_agent', chat.user, null, null)
    const before = await stored()
    const refusal = { kind: 'error', code: 'version_not_accepted' }
    expect(await chat.post({ version, messages: [userMessage('u1', 'Hello')] })).toEqual(refusal)
    expect(
      await db.call('begin_completion', chat.user, {
        version,
        runId: randomUUID(),
        key: randomUUID(),
        agentId,
        messages: [{ entry: userEntry('Hello') }],
        words: 'Hello',
        answers: [],
      }),
    ).toMatchObject({ reply: refusal, outcomes: [] })
    expect(await stored()).toEqual(before)
  })

  test.each(versions)('%j decides nothing', async (version) => {
    const { runId } = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    const asked = question()
    await db.finish(runId, { status: 'needs_approval', entries: numbered([asked]) })
    const before = await stored()
    const decision = { runId: randomUUID(), type: 'approval', itemId: asked.itemId, decision: 'approve' }
    expect(await db.call('begin_resume', chat.user, chat.id, { ...decision, version })).toEqual({
      kind: 'error',
      code: 'version_not_accepted',
    })
    expect(await stored()).toEqual(before)
    expect(await db.call('begin_resume', chat.user, chat.id, decision)).toMatchObject({ kind: 'continue' })
  })

  test.each(versions)('%j claims nothing, and what comes with the claim is not stored', async (version) => {
    const { runId } = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    const before = await stored()
    const entries = numbered([{ type: 'model-text', text: 'Writing.' }])
    expect(await db.claim(runId, { version }, entries)).toEqual({
      claimed: false,
      status: 'version_not_accepted',
    })
    expect(await stored()).toEqual(before)
    expect(await db.claim(runId, {}, entries)).toMatchObject({ claimed: true })
  })
})

describe('while functions of two versions answer', () => {
  beforeEach(() => becomeVersion(database.sql, next))

  test('one begins a run, the other carries on, and each claims its writes', async () => {
    const old = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    expect(await db.claim(old.runId)).toMatchObject({ claimed: true })
    const asked = question()
    await db.finish(old.runId, { status: 'needs_approval', entries: numbered([asked]) })
    const decision = { version: next, runId: randomUUID(), type: 'approval', decision: 'approve' }
    const young = await db.call('begin_resume', chat.user, chat.id, { ...decision, itemId: asked.itemId })
    expect(young).toMatchObject({ kind: 'continue', entries: [{ entry: asked }, {}, {}] })
    expect(await db.claim(young.runId, { version: next, repetition: 1 })).toMatchObject({ claimed: true })
    await db.finish(young.runId)
    expect(await chat.post({ messages: [userMessage('u2', 'Thanks.')] })).toMatchObject({ kind: 'run' })
  })

  test('the same write of both is claimed once', async () => {
    const { runId } = await chat.post({ version: next, messages: [userMessage('u1', 'Write to Ada.')] })
    const claims = await Promise.all([db.claim(runId), db.claim(runId, { version: next })])
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1)
  })

  test('neither writes an entry that the other cannot read', async () => {
    const { runId } = await chat.post({ version: next, messages: [userMessage('u1', 'Hello')] })
    const young = numbered([{ type: 'model-text', text: 'Hello.', version: next }])
    await expect(db.claim(runId, { version: next }, young)).rejects.toThrow('entries_version_check')
    await becomeVersion(database.sql, next + 1)
    await db.claim(runId, { version: next }, young)
    const rows = await db.service`select version from entries where run_id = ${runId} order by sequence`
    expect(rows.map(({ version }) => version)).toEqual([1, next])
  })
})
