import { spawn } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import { type DocumentCallers, documentCallers } from '../../../support/document-calls.ts'
import { startGoogleDocs, tokens } from '../../../support/google-docs-server.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let rpc: CallRpc
let userId: string
let ada: DocumentCallers
beforeAll(async () => {
  rpc = createRpc({
    url: 'http://127.0.0.1',
    serviceKey: database.keys.secretKey,
    fetch: (input, init) => database.dataApi.fetch(new Request(input, init)),
  })
  userId = await db.createUser()
  ada = documentCallers({ userId, rpc })
})

// biome-ignore lint/suspicious/noExplicitAny: of many shapes, looked into by assertions only
type Data = any
async function ask(name: string, args: Record<string, unknown>, callers = ada): Promise<Data> {
  const { result } = await callers.call(name, args)
  expect(result).toMatchObject({ ok: true })
  return result.ok && result.data
}
async function refusal(name: string, args: Record<string, unknown>, callers = ada): Promise<Data> {
  const { result } = await callers.call(name, args)
  expect(result).toMatchObject({ ok: false })
  return result
}

test('a document is made, read, added to, changed and found without any account', async () => {
  const made = await ask('docs_create_document', { title: 'Meeting notes', content: '# Agenda\n\n* budget' })
  expect(made).toEqual({ document_id: expect.any(String), title: 'Meeting notes' })
  const { document_id } = made
  expect(await ask('docs_read_document', { document_id })).toEqual({
    document_id,
    title: 'Meeting notes',
    content: '# Agenda\n\n* budget',
    revision: '1',
  })
  expect(await ask('docs_append_text', { document_id, text: '## Next\n\nFriday' })).toEqual({
    document_id,
    revision: '2',
  })
  expect(
    await ask('docs_replace_text', { document_id, find: 'budget', replace: 'the $1 & \\0 budget' }),
  ).toEqual({
    document_id,
    revision: '3',
    replaced: 1,
  })
  expect((await ask('docs_read_document', { document_id })).content).toBe(
    '# Agenda\n\n* the $1 & \\0 budget\n\n## Next\n\nFriday',
  )
  for (const query of ['agenda', 'FRIDAY notes', 'meeting not', 'he $1 &']) {
    expect(await ask('docs_search', { query }), query).toEqual({
      documents: [{ document_id, title: 'Meeting notes', modified: expect.any(String) }],
    })
  }
  expect(await ask('docs_search', { query: 'elephant' })).toEqual({ documents: [] })
})

test('a search pages on, and takes hostile queries for what they are: words', async () => {
  const user = documentCallers({ userId: await db.createUser(), rpc })
  for (let index = 0; index < 5; index++)
    await ask('docs_create_document', { title: `Report ${index}` }, user)
  const titles: string[] = []
  let page_token: string | undefined
  do {
    const page = await ask(
      'docs_search',
      { query: 'report', max_results: 2, ...(page_token ? { page_token } : {}) },
      user,
    )
    titles.push(...page.documents.map(({ title }: { title: string }) => title))
    page_token = page.next_page_token
  } while (page_token)
  expect(titles).toEqual(['Report 4', 'Report 3', 'Report 2', 'Report 1', 'Report 0'])
  for (const query of ["'; drop table askback.documents; --", '%', '\\', '"', ':* & | !', '\u0000', '((((']) {
    expect(await ask('docs_search', { query }, user)).toEqual({ documents: [] })
  }
})

test('one user never sees, changes or finds the document of another', async () => {
  const { document_id } = await ask('docs_create_document', { title: 'Secret plan', content: 'secret' })
  const stranger = documentCallers({ userId: await db.createUser(), rpc })
  for (const [name, args] of [
    ['docs_read_document', {}],
    ['docs_append_text', { text: 'x' }],
    ['docs_replace_text', { find: 'secret', replace: 'x' }],
  ] as const) {
    expect(await refusal(name, { document_id, ...args }, stranger)).toMatchObject({
      errorType: 'not_found',
      error: expect.stringMatching(/^Question: Which document did you mean\? No document with the id/),
      details: {
        parameter: 'document_id',
        correction: { open: ['document_id'] },
        asked: {
          code: 'document_not_found',
          asked: "I couldn't find that document. Paste its link or tell me its name.",
        },
      },
    })
  }
  expect(await ask('docs_search', { query: 'secret' }, stranger)).toEqual({ documents: [] })
  expect((await ask('docs_read_document', { document_id })).revision).toBe('1')
})

test('text that is not there is asked about, with the ways in which it stands there', async () => {
  const { document_id } = await ask('docs_create_document', { title: 'x', content: 'Hello World and HELLO' })
  const error = await refusal('docs_replace_text', { document_id, find: 'hello', replace: 'x' })
  expect(error).toMatchObject({ errorType: 'invalid_value', details: { parameter: 'find' } })
  expect(error.error).toContain('but like this: "Hello", "HELLO"')
})

test('sharing says in a sentence that it needs Google Docs', async () => {
  const { document_id } = await ask('docs_create_document', { title: 'x' })
  const error = await refusal('docs_share', { document_id, emails: ['grace@example.com'], role: 'reader' })
  expect(error).toMatchObject({ errorType: 'permission_denied', resolver: 'nobody' })
  expect(error.error).toContain('Sharing needs Google Docs')
})

describe('what was overwritten', () => {
  const change = (document_id: string, find: string, replace: string) =>
    ask('docs_replace_text', { document_id, find, replace })

  test('is put back: the last version, or a given one, and that can be undone too', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'one' })
    await change(document_id, 'one', 'two')
    await ask('docs_append_text', { document_id, text: 'three' })
    const restored = await ask('docs_restore_version', { document_id })
    expect(restored).toMatchObject({ document_id, revision: '4', restored: '2' })
    expect(restored.versions).toEqual([
      { revision: '2', until: expect.stringMatching(/^\d{4}-.*Z$/), characters: 3 },
      { revision: '1', until: expect.any(String), characters: 3 },
    ])
    expect((await ask('docs_read_document', { document_id })).content).toBe('two')
    expect(await ask('docs_restore_version', { document_id, revision: 1 })).toMatchObject({ restored: '1' })
    expect((await ask('docs_read_document', { document_id })).content).toBe('one')
    await ask('docs_restore_version', { document_id, revision: 3 })
    expect((await ask('docs_read_document', { document_id })).content).toBe('two\n\nthree')
  })

  test('is put back once, however often that is delivered', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'one' })
    await change(document_id, 'one', 'two')
    const key = crypto.randomUUID()
    expect(await ada.verify('docs_restore_version', { document_id }, key)).toBe('not_sent')
    const results = await Promise.all(
      [1, 2, 3].map(() => ada.deliver('docs_restore_version', { document_id }, key)),
    )
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await ada.verify('docs_restore_version', { document_id }, key)).toBe('sent')
    expect(await ask('docs_read_document', { document_id })).toMatchObject({ content: 'one', revision: '3' })
  })

  test('is asked about where there is no such version, and is kept for 30 days', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'one' })
    const never = await refusal('docs_restore_version', { document_id })
    expect(never.error).toBe('This document was not changed in the last 30 days, so nothing can be restored.')
    await change(document_id, 'one', 'two')
    const wrong = await refusal('docs_restore_version', { document_id, revision: 7 })
    expect(wrong.error).toMatch(
      /^Question: Which version should be restored\? These revisions are kept: 1 \(until /,
    )
    expect(wrong.details).toMatchObject({ parameter: 'revision' })
    await database.sql`update askback.document_versions set replaced_at = now() - interval '31 days' where document_id = ${document_id}`
    expect((await refusal('docs_restore_version', { document_id })).errorType).toBe('execution_error')
    await change(document_id, 'two', 'three')
    const kept =
      await database.sql`select revision from askback.document_versions where document_id = ${document_id}`
    expect([...kept]).toEqual([{ revision: 2 }])
  })

  test('of others cannot be put back, and in Google Docs it is done there', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'one' })
    await change(document_id, 'one', 'two')
    const stranger = documentCallers({ userId: await db.createUser(), rpc })
    expect(await refusal('docs_restore_version', { document_id }, stranger)).toMatchObject({
      errorType: 'not_found',
    })
    const ofGoogle = { document_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms' }
    expect(await refusal('docs_restore_version', ofGoogle)).toMatchObject({
      errorType: 'permission_denied',
      resolver: 'nobody',
      error: expect.stringContaining('"Version history"'),
    })
  })
})

test('a document grows to a million characters and no further, in no way', async () => {
  const { document_id } = await ask('docs_create_document', { title: 'x', content: 'ab'.repeat(499_000) })
  const error = await refusal('docs_append_text', { document_id, text: 'c'.repeat(10_000) })
  expect(error.error).toContain('would get too long')
  const grown = await refusal('docs_replace_text', { document_id, find: 'a', replace: 'x'.repeat(100_000) })
  expect(grown).toMatchObject({ details: { parameter: 'replace' } })
  expect((await ask('docs_search', { query: 'abab', max_results: 1 })).documents).toHaveLength(1)
})

describe('an effect happens once', () => {
  const contentOf = async (document_id: string) => (await ask('docs_read_document', { document_id })).content

  test('when it is delivered twice, at the same time or later', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'start' })
    const key = crypto.randomUUID()
    const args = { document_id, text: 'added' }
    const results = await Promise.all([1, 2, 3].map(() => ada.deliver('docs_append_text', args, key)))
    results.push(await ada.deliver('docs_append_text', args, key))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await contentOf(document_id)).toBe('start\n\nadded')
    const create = crypto.randomUUID()
    const made = await Promise.all(
      [1, 2, 3].map(() => ada.deliver('docs_create_document', { title: 'twin' }, create)),
    )
    expect(new Set(made.map((result) => JSON.stringify(result))).size).toBe(1)
    expect((await ask('docs_search', { query: 'twin' })).documents).toHaveLength(1)
  })

  test('when its answer is lost, again and again', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'a' })
    let lost = 3
    const flaky = createRpc({
      url: 'http://127.0.0.1',
      serviceKey: database.keys.secretKey,
      async fetch(input, init) {
        const response = await database.dataApi.fetch(new Request(input, init))
        if (String(input).includes('change_document') && lost-- > 0) throw new TypeError('connection lost')
        return response
      },
    })
    const change = { document_id, find: 'a', replace: 'aa' }
    expect(await ask('docs_replace_text', change, documentCallers({ userId, rpc: flaky }))).toMatchObject({
      replaced: 1,
    })
    expect(await contentOf(document_id)).toBe('aa')
  })

  test.each([
    ['docs_replace_text', { find: 'start', replace: 'begin' }],
    ['docs_append_text', { text: 'more' }],
    ['docs_restore_version', { revision: 1 }],
  ])(
    'when its answer was lost: %s is not compared with what others have changed since',
    async (name, args) => {
      const { document_id } = await ask('docs_create_document', { title: 'x', content: 'start' })
      await ask('docs_append_text', { document_id, text: 'start' })
      const moved = new Error('It is no longer what was approved.')
      const strict = documentCallers({
        userId,
        rpc,
        requireUnchanged: () => {
          throw moved
        },
      })
      const [key, change] = [crypto.randomUUID(), { document_id, ...args }]
      await expect(strict.deliver(name, change, key)).resolves.toMatchObject({ ok: false })
      const done = await ada.deliver(name, change, key)
      expect(done).toMatchObject({ ok: true })
      await ask('docs_append_text', { document_id, text: 'of somebody else' })
      const content = await contentOf(document_id)
      expect(await strict.deliver(name, change, key)).toEqual(done)
      expect(await contentOf(document_id)).toBe(content)
    },
  )

  test('when the database stays away after it: what happened is verified', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'a' })
    const key = crypto.randomUUID()
    const args = { document_id, text: 'added' }
    expect(await ada.verify('docs_append_text', args, key)).toBe('not_sent')
    await ada.deliver('docs_append_text', args, key)
    expect(await ada.verify('docs_append_text', args, key)).toBe('sent')
  })

  test('when two change the same document at the same time, both changes stay', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'start' })
    const texts = Array.from({ length: 10 }, (_, index) => `line ${index}`)
    await Promise.all(texts.map((text) => ask('docs_append_text', { document_id, text })))
    expect((await contentOf(document_id)).split('\n\n').sort()).toEqual([...texts, 'start'].sort())
    expect((await ask('docs_read_document', { document_id })).revision).toBe('11')
  })

  test('when the process is killed while PostgreSQL works on it', async () => {
    const { document_id } = await ask('docs_create_document', { title: 'x', content: 'start' })
    const key = crypto.randomUUID()
    const holder = await database.sql.reserve()
    await holder`begin`
    await holder`select 1 from askback.documents where id = ${document_id} for update`
    const code = `
      const postgres = require('postgres')
      const sql = postgres(${JSON.stringify(database.url)}, { max: 1, connection: { application_name: 'killed' } })
      sql.unsafe("select askback.change_document($1, $2, $3, $4::text::json)", ${JSON.stringify([userId, key, document_id, '{"append":"added"}'])}).execute()
    `
    const child = spawn(process.execPath, ['-e', code], { cwd: process.cwd(), stdio: 'ignore' })
    const waits = async () =>
      (
        await database.sql`select 1 from pg_stat_activity where application_name = 'killed' and wait_event_type = 'Lock'`
      ).length > 0
    await expect.poll(waits, { timeout: 10_000 }).toBe(true)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    await holder`commit`
    holder.release()
    // Whether PostgreSQL noticed in time or not: asked again, it is done once.
    await ada.deliver('docs_append_text', { document_id, text: 'added' }, key)
    expect(await contentOf(document_id)).toBe('start\n\nadded')
  })
})

test('documents that were made before Google was connected are still read and found', async () => {
  const { document_id } = await ask('docs_create_document', { title: 'Elderberry', content: 'kept here' })
  const google = await startGoogleDocs()
  google.addDocument({ owner: 'ada@example.com', name: 'Elderberry wine' })
  const both = documentCallers({ userId, rpc, google: { url: google.url, token: tokens.ada } })
  expect((await ask('docs_read_document', { document_id }, both)).content).toBe('kept here')
  const titles: string[] = []
  let page_token: string | undefined
  do {
    const page = await ask(
      'docs_search',
      { query: 'elderberry', max_results: 1, ...(page_token ? { page_token } : {}) },
      both,
    )
    titles.push(...page.documents.map(({ title }: { title: string }) => title))
    page_token = page.next_page_token
  } while (page_token)
  expect(titles).toEqual(['Elderberry wine', 'Elderberry'])
  await google.close()
})

test('whether a document was made is known, also when Google was connected or disconnected since', async () => {
  const google = await startGoogleDocs()
  const connected = documentCallers({ userId, rpc, google: { url: google.url, token: tokens.ada } })
  const key = crypto.randomUUID()
  await ada.deliver('docs_create_document', { title: 'here' }, key)
  expect(await connected.verify('docs_create_document', { title: 'here' }, key)).toBe('sent')
  const other = crypto.randomUUID()
  await connected.deliver('docs_create_document', { title: 'there' }, other)
  ada.notes.set(other, connected.notes.get(other))
  expect(await ada.verify('docs_create_document', { title: 'there' }, other)).toBe('unknown')
  await google.close()
})
