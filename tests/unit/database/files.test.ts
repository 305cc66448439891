import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation
/** Bytes that a user may have. */
const limit = 1000

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

/** Facts of a file whose bytes are a text. */
function fileOf(text: string, facts: object = {}) {
  const sha256 = Buffer.from(text.padEnd(32).slice(0, 32)).toString('hex')
  return { id: randomUUID(), filename: 'a.txt', mediaType: 'text/plain', size: text.length, sha256, ...facts }
}

async function store(user: string, text: string, facts: object = {}) {
  const file = fileOf(text, facts)
  expect(await db.call('store_file', user, file, limit, btoa(text))).toBe('stored')
  return file
}

const withFile = (id: string, fileId: string, text = 'Look') => ({
  id,
  entry: {
    type: 'user-message',
    content: [
      { type: 'file', file_id: fileId, mediaType: 'text/plain', filename: 'a.txt', size: 4 },
      { type: 'text', text },
    ],
  },
})
const isStored = async (user: string, id: string) => (await db.call('read_file', user, id)) !== null

test('a file is stored once, also by two at once, and is its owner alone to read', async () => {
  const file = fileOf('text')
  await Promise.all([1, 2, 3].map(() => db.call('store_file', chat.user, file, limit, btoa('text'))))
  const [row] = await db.service`select count(*)::int as files from files where user_id = ${chat.user}`
  expect(row?.files).toBe(1)
  const facts = { id: file.id, filename: 'a.txt', mediaType: 'text/plain', size: 4 }
  expect(await db.call('read_file', chat.user, file.id)).toEqual({
    ...facts,
    object: null,
    content: btoa('text'),
  })
  const other = await db.createUser()
  expect(await isStored(other, file.id)).toBe(false)
  expect(await db.call('find_files', other, [file.id])).toEqual({ inStorage: false, files: [] })
  expect(await db.call('find_files', chat.user, [file.id])).toEqual({
    inStorage: false,
    files: [{ ...facts, reading: null }],
  })
})

test('a message names only files that are stored for its user', async () => {
  const own = await store(chat.user, 'own')
  const others = await store(await db.createUser(), 'others')
  for (const id of [others.id, randomUUID()]) {
    const refused = await chat.post({ messages: [withFile('m1', id)] })
    expect(refused).toEqual({ kind: 'error', code: 'file_not_found' })
  }
  expect(await chat.post({ messages: [withFile('m1', own.id)] })).toMatchObject({ kind: 'run' })
})

test('the same message with the same file is known, with another file it is an edit', async () => {
  const [first, second] = [await store(chat.user, 'first'), await store(chat.user, 'second')]
  const turn = await chat.post({ messages: [withFile('m1', first.id)] })
  await db.finish(turn.runId)
  const same = await chat.post({ messages: [withFile('m1', first.id)] })
  expect(same).toMatchObject({ kind: 'return', run: { runId: turn.runId } })
  const other = await chat.post({ messages: [withFile('m1', second.id)] })
  expect(other).toMatchObject({ kind: 'run', turnId: turn.turnId })
})

test('a deleted conversation takes its files along, unless another one has them', async () => {
  const [shared, own] = [await store(chat.user, 'shared'), await store(chat.user, 'own')]
  const other = new DatabaseConversation(db, chat.user)
  await chat.post({ messages: [withFile('m1', shared.id), withFile('m2', own.id)] })
  await other.post({ messages: [withFile('m1', shared.id)] })
  await db.call('delete_conversation', chat.user, chat.id)
  expect(await isStored(chat.user, own.id)).toBe(false)
  expect(await isStored(chat.user, shared.id)).toBe(true)
  await db.call('delete_conversation', chat.user, other.id)
  expect(await isStored(chat.user, shared.id)).toBe(false)
})

test('files of earlier messages that a client keeps itself are named, too', async () => {
  const file = await store(chat.user, 'earlier')
  const { entry } = withFile('m1', file.id)
  const earlier = [
    { role: 'user', content: entry.content },
    { role: 'user', content: 'words' },
  ]
  const message = {
    id: 'm2',
    entry: { type: 'user-message', content: [{ type: 'text', text: 'And?' }], earlier },
  }
  await chat.post({ messages: [message] })
  await db.call('delete_conversation', chat.user, chat.id)
  expect(await isStored(chat.user, file.id)).toBe(false)
})

test('a file that is about to stand in another conversation is not deleted under it', async () => {
  const file = await store(chat.user, 'racing')
  await chat.post({ messages: [withFile('m1', file.id)] })
  for (let round = 0; round < 10; round++) {
    const other = new DatabaseConversation(db, chat.user)
    const [begun] = await Promise.all([
      other.post({ messages: [withFile('m1', file.id)] }),
      db.call('delete_conversation', chat.user, chat.id),
    ])
    if ((begun as Answer).kind === 'run') expect(await isStored(chat.user, file.id)).toBe(true)
    else {
      expect(begun).toEqual({ kind: 'error', code: 'file_not_found' })
      await db.call('store_file', chat.user, file, limit, btoa('racing'))
    }
    chat = new DatabaseConversation(db, chat.user)
    await chat.post({ messages: [withFile('m1', file.id)] })
    await db.call('delete_conversation', chat.user, other.id)
  }
})

test('what no message has used within a day of its last upload is swept', async () => {
  const [lost, fresh, used] = [
    await store(chat.user, 'lost'),
    await store(chat.user, 'fresh'),
    await store(chat.user, 'used'),
  ]
  await chat.post({ messages: [withFile('m1', used.id)] })
  const again = await store(chat.user, 'again')
  const old = [lost.id, used.id, again.id]
  await db.service`
    update files set created_at = now() - interval '25 hours', unused_since = unused_since - interval '25 hours'
    where id = any (${old})`
  expect(await db.call('store_file', chat.user, again, limit, btoa('again'))).toBe('stored')
  expect(await db.call('sweep_files', chat.user)).toEqual([])
  expect(await isStored(chat.user, lost.id)).toBe(false)
  expect(await isStored(chat.user, again.id)).toBe(true)
  expect(await isStored(chat.user, fresh.id)).toBe(true)
  expect(await isStored(chat.user, used.id)).toBe(true)
})

test('what was uploaded again for the next message outlives the conversation that used it', async () => {
  const file = await store(chat.user, 'again')
  await chat.post({ messages: [withFile('m1', file.id)] })
  await db.call('store_file', chat.user, file, limit, btoa('again'))
  await db.call('delete_conversation', chat.user, chat.id)
  expect(await isStored(chat.user, file.id)).toBe(true)
})

test('bytes in Storage are remembered until they are removed, also those of a deleted user', async () => {
  const file = fileOf('stored', { object: `${chat.user}/1` })
  expect(await db.call('store_file', chat.user, file, limit, null)).toBe('stored')
  // Somebody else was faster: what was uploaded in vain is not the file.
  expect(await db.call('store_file', chat.user, { ...file, object: `${chat.user}/2` }, limit, null)).toBe(
    'elsewhere',
  )
  expect(await db.call('read_file', chat.user, file.id)).toMatchObject({
    object: `${chat.user}/1`,
    content: null,
  })
  await chat.post({ messages: [withFile('m1', file.id)] })
  await database.sql`delete from auth.users where id = ${chat.user}`
  const other = await db.createUser()
  expect(await db.call('sweep_files', other)).toEqual([`${chat.user}/1`])
  await db.call('forget_objects', [`${chat.user}/1`])
  expect(await db.call('sweep_files', other)).toEqual([])
})

test('a request that begins nothing loses no file: the next one can name it', async () => {
  const used = await store(chat.user, 'used')
  const turn = await chat.post({ messages: [withFile('m1', used.id)] })
  await db.finish(turn.runId)
  const assistant = turn.messageId
  for (const [request, answer] of [
    [{ agentId: randomUUID() }, { kind: 'error', code: 'agent_not_found' }],
    [{ form: 'ui', messageId: assistant }, { kind: 'return' }],
    [{ id: assistant }, { kind: 'error', code: 'message_id_taken' }],
  ] as const) {
    const fresh = await store(chat.user, JSON.stringify(answer))
    const { id = randomUUID(), ...rest } = request as { id?: string }
    const messages = [withFile(`${id}-1`, used.id), withFile(id, fresh.id)]
    expect(await chat.post({ ...rest, messages })).toMatchObject(answer)
    expect(await isStored(chat.user, fresh.id)).toBe(true)
    expect(await isStored(chat.user, used.id)).toBe(true)
  }
})

test('somebody else’s file stays, whatever a request names', async () => {
  const other = await db.createUser()
  const file = await store(other, 'others')
  expect(await chat.post({ messages: [withFile('m1', file.id)] })).toMatchObject({ code: 'file_not_found' })
  expect(await isStored(other, file.id)).toBe(true)
})

test('an edit takes the files of what it replaces along', async () => {
  const [first, kept, second] = [
    await store(chat.user, 'one'),
    await store(chat.user, 'kept'),
    await store(chat.user, 'two'),
  ]
  await db.finish((await chat.post({ messages: [withFile('m0', kept.id)] })).runId)
  await db.finish((await chat.post({ messages: [withFile('m1', first.id)] })).runId)
  await chat.post({ form: 'ui', messageId: 'm1', messages: [withFile('m1', second.id)] })
  expect(await isStored(chat.user, first.id)).toBe(false)
  expect(await isStored(chat.user, second.id)).toBe(true)
  expect(await isStored(chat.user, kept.id)).toBe(true)
})

test('the clock deletes what was abandoned a day ago, whoever stored it', async () => {
  const [lost, fresh, used] = [
    await store(chat.user, 'lost'),
    await store(chat.user, 'fresh'),
    await store(chat.user, 'used'),
  ]
  await chat.post({ messages: [withFile('m1', used.id)] })
  await db.service`
    update files set unused_since = unused_since - interval '25 hours' where id = any (${[lost.id, used.id]})`
  await db.call('askback_private.due_runs')
  expect(await isStored(chat.user, lost.id)).toBe(false)
  expect(await isStored(chat.user, fresh.id)).toBe(true)
  expect(await isStored(chat.user, used.id)).toBe(true)
})

test('a user has room for so many bytes, also for files that come at once', async () => {
  const sizes = Array.from({ length: 12 }, (_, number) => fileOf(`file ${number}`, { size: 300 }))
  const outcomes = await Promise.all(
    sizes.map((file) => db.call('store_file', chat.user, file, limit, btoa('x'))),
  )
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(9)
  const stored = sizes[outcomes.indexOf('stored')]
  // What is there already takes no more.
  expect(await db.call('store_file', chat.user, stored, limit, btoa('x'))).toBe('stored')
  expect(
    await db.call('store_file', await db.createUser(), fileOf('x', { size: 900 }), limit, btoa('x')),
  ).toBe('stored')
})

test('requests that are refused at once, with the same file, are all told so', async () => {
  const first = await store(chat.user, 'first')
  await db.finish((await chat.post({ messages: [withFile('m0', first.id)] })).runId)
  const file = await store(chat.user, 'same')
  const refused = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      chat.post({ agentId: randomUUID(), messages: [withFile(`r${number}`, file.id)] }),
    ),
  )
  for (const answer of refused) {
    expect(answer.kind).toBe('error')
    expect(['agent_not_found', 'file_not_found']).toContain((answer as unknown as { code: string }).code)
  }
  await db.service`update files set unused_since = now() - interval '25 hours' where id = ${file.id}`
  await db.call('askback_private.due_runs')
  expect(await isStored(chat.user, file.id)).toBe(false)
})
