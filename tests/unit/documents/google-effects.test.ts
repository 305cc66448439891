import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emptyPaper } from '../../../local/simulator/docs/paper.ts'
import { googleOutages } from '../../../local/simulator/google-docs.ts'
import { type CallerOptions, documentCallers } from '../../../support/document-calls.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../../support/google-docs-server.ts'

// An effect happens once, or a person is asked: whatever becomes of the request and of its answer.

let google: GoogleDocsServer
beforeAll(async () => {
  google = await startGoogleDocs()
})
afterEach(() => google.faults.clear())
afterAll(() => google.close())

const owner = 'ada@example.com'
const callers = (options: CallerOptions = {}) =>
  documentCallers({ google: { url: google.url, token: tokens.ada }, ...options })

type Ending = 'lost' | 'late' | 'cut' | 'failed' | 'failed after it'
const endings: Ending[] = ['lost', 'late', 'cut', 'failed', 'failed after it']

function breakNext(call: RegExp, ending: Ending): void {
  const isAnswered = ending === 'failed' || ending === 'failed after it'
  const answer = googleOutages.unavailable()
  const done = ending === 'failed after it'
  google.faults.plan(call, isAnswered ? { answer, done } : { connection: ending })
}

/** What each write does, and how often it has been done. */
const effects = {
  docs_append_text: {
    call: /^POST .*batchUpdate$/,
    args: (document_id: string) => ({ document_id, text: 'added' }),
    count: (id: string) => google.markdownOf(id).split('added').length - 1,
  },
  docs_replace_text: {
    call: /^POST .*batchUpdate$/,
    // Done twice it would show: the new text holds the old one.
    args: (document_id: string) => ({ document_id, find: 'start', replace: 'start+' }),
    count: (id: string) => google.markdownOf(id).split('+').length - 1,
  },
  docs_share: {
    call: /^POST .*permissions$/,
    args: (document_id: string) => ({ document_id, emails: ['grace@example.com'], role: 'reader' }),
    count: (id: string) => google.sharing.notified.filter(({ fileId }) => fileId === id).length,
  },
} as const

describe.each(Object.entries(effects))('%s', (name, { call, args, count }) => {
  test.each(endings)('happens once, or is asked about, when its request is %s', async (ending) => {
    const { id } = google.addDocument({ owner, markdown: 'start' })
    breakNext(call, ending)
    const { status } = await callers().call(name, args(id))
    await google.faults.arrive()
    expect(['succeeded', 'unknown']).toContain(status)
    if (status === 'succeeded') expect(count(id)).toBe(1)
    else expect(count(id)).toBeLessThan(2)
    // What Google can tell nobody is asked about.
    if (ending === 'lost' || ending === 'failed after it' || name !== 'docs_share')
      expect(status).toBe('succeeded')
  })

  test('happens once when a request that was late comes while it is tried again', async () => {
    const { id } = google.addDocument({ owner, markdown: 'start' })
    google.faults.plan(call, { connection: 'late' })
    let notes = 0
    const late = callers({
      async beforeEffect() {
        notes += 1
        if (notes === 2) await google.faults.arrive()
      },
    })
    const { status } = await late.call(name, args(id))
    await google.faults.arrive()
    expect(count(id)).toBe(1)
    expect(['succeeded', 'unknown']).toContain(status)
  })

  test('happens once when two isolates deliver it at the same time', async () => {
    const { id } = google.addDocument({ owner, markdown: 'start' })
    const user = { userId: crypto.randomUUID() }
    const key = crypto.randomUUID()
    const both = await Promise.all([1, 2].map(() => callers(user).deliver(name, args(id), key)))
    expect(both.some((result) => (result as { ok: boolean }).ok)).toBe(true)
    if (name === 'docs_share') return
    expect(count(id)).toBe(1)
  })

  test('is not done again after the process died between the effect and its settlement', async () => {
    const { id } = google.addDocument({ owner, markdown: 'start' })
    const key = crypto.randomUUID()
    const user = { userId: crypto.randomUUID() }
    const died = callers(user)
    await died.deliver(name, args(id), key)
    const after = callers(user)
    after.notes.set(key, died.notes.get(key))
    expect(await after.verify(name, args(id), key)).toBe('sent')
    expect(await after.deliver(name, args(id), key)).toMatchObject({ ok: true })
    expect(count(id)).toBe(1)
  })

  test('was not done when the process died before the request left', async () => {
    const { id } = google.addDocument({ owner, markdown: 'start' })
    const key = crypto.randomUUID()
    const before = callers()
    expect(await before.verify(name, args(id), key)).toBe('not_sent')
    expect(count(id)).toBe(0)
  })
})

describe('docs_create_document', () => {
  const named = (title: string) => google.files.filter((file) => file.name === title)
  const create = (title: string) => callers().call('docs_create_document', { title, content: 'x' })

  test.each(endings)('makes one document, or asks, when its request is %s', async (ending) => {
    breakNext(/^POST .*upload/, ending)
    const title = `created ${ending}`
    const { status, result } = await create(title)
    await google.faults.arrive()
    expect(named(title).length).toBe(ending === 'cut' || ending === 'failed' ? 0 : 1)
    // An answer that is lost is no loss: the document tells its id.
    const isFound = ending === 'lost' || ending === 'failed after it'
    expect(status).toBe(isFound ? 'succeeded' : 'unknown')
    if (isFound) expect(result).toMatchObject({ ok: true, data: { document_id: named(title)[0]?.id } })
  })

  test('is found by the one who asks again, also when it came late', async () => {
    google.faults.plan(/^POST .*upload/, { connection: 'late' })
    const key = crypto.randomUUID()
    const user = callers({ userId: crypto.randomUUID() })
    const args = { title: 'late one', content: 'x' }
    expect(await user.deliver('docs_create_document', args, key)).toMatchObject({
      errorType: 'outcome_unknown',
    })
    expect(await user.verify('docs_create_document', args, key)).toBe('unknown')
    await google.faults.arrive()
    expect(await user.verify('docs_create_document', args, key)).toBe('sent')
    expect(await user.deliver('docs_create_document', args, key)).toMatchObject({ ok: true })
    expect(named('late one')).toHaveLength(1)
  })

  test('was not done when it is not there after more time than a request can take', async () => {
    google.faults.plan(/^POST .*upload/, { connection: 'cut' })
    const key = crypto.randomUUID()
    const user = callers()
    const args = { title: 'never', content: 'x' }
    await user.deliver('docs_create_document', args, key)
    const hourAgo = new Date(Date.now() - 3_600_000)
    expect(await user.verify('docs_create_document', args, key)).toBe('unknown')
    expect(await user.verify('docs_create_document', args, key, hourAgo)).toBe('not_sent')
  })

  test("another user's document, or another call's, is not taken for it", async () => {
    const key = crypto.randomUUID()
    const first = callers({ userId: crypto.randomUUID() })
    await first.deliver('docs_create_document', { title: 'twin' }, key)
    await callers({ userId: crypto.randomUUID() }).deliver('docs_create_document', { title: 'twin' }, key)
    await first.deliver('docs_create_document', { title: 'twin' }, crypto.randomUUID())
    expect(named('twin')).toHaveLength(3)
  })
})

test('the text that somebody removed at once is asked about, not written again', async () => {
  const { id } = google.addDocument({ owner, markdown: 'start' })
  const key = crypto.randomUUID()
  const user = callers()
  const args = { document_id: id, text: 'added' }
  await user.deliver('docs_append_text', args, key)
  google.rewrite(id, 'start')
  expect(await user.verify('docs_append_text', args, key)).toBe('unknown')
})

test('a change leaves one mark in its document, and takes away those of yesterday', async () => {
  const file = google.addDocument({ owner, markdown: 'start' })
  const yesterday = `askback-${'0'.repeat(40)}-${Date.now() - 1}`
  const paper = () => file.tabs[0]?.paper ?? emptyPaper()
  paper().namedRanges.push({ id: 'old', name: yesterday }, { id: 'theirs', name: 'chapter' })
  const [first] = paper().units
  if (first) first.ranges = ['old', 'theirs']
  await callers().call('docs_append_text', { document_id: file.id, text: 'added' })
  const names = paper().namedRanges.map(({ name }) => name)
  expect(names).toHaveLength(2)
  expect(names).toContain('chapter')
  expect(names).not.toContain(yesterday)
})
