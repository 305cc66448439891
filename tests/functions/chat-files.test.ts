import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import type { AddFile } from '../../shared/server/files/add-file.ts'
import type { FileStore, NewFile } from '../../shared/server/files/file-store.ts'
import { ApiError } from '../../shared/server/http/api-error.ts'
import { readDataUrl } from '../../supabase/functions/chat/files/data-url.ts'
import type { FileTextClient } from '../../supabase/functions/chat/files/extract-pdf-text.ts'
import { extractText } from '../../supabase/functions/chat/files/extract-text.ts'
import { createFileLinks } from '../../supabase/functions/chat/files/file-links.ts'
import { loadFileContents } from '../../supabase/functions/chat/files/load-file-contents.ts'
import { disposition, serveFile } from '../../supabase/functions/chat/files/serve-file.ts'
import { storeFiles } from '../../supabase/functions/chat/files/store-files.ts'
import { readTurnRequest } from '../../supabase/functions/chat/request/turn-request.ts'

const user = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const mib = 1024 * 1024
const links = createFileLinks({
  filesUrl: 'https://project.example/functions/v1/chat/files/',
  serviceKey: 'key',
})

/** Files by user and id; what it is asked to save is counted. */
function memoryStore() {
  const stored = new Map<string, NewFile>()
  let saved = 0
  const store = {
    async find(userId: string, ids: readonly string[]) {
      const own = ids.flatMap((id) => stored.get(`${userId} ${id}`) ?? [])
      return new Map(own.map((file) => [file.id, { ...file, reading: null }]))
    },
  } as unknown as FileStore
  const addFile: AddFile = async (userId, file, chunks) => {
    saved++
    const parts: Uint8Array[] = []
    for await (const chunk of chunks) parts.push(chunk)
    const added = { ...(file as NewFile), bytes: new Uint8Array(Buffer.concat(parts)) }
    stored.set(`${userId} ${added.id}`, added)
    return added
  }
  return { files: store, addFile, fileLinks: links, stored, saved: () => saved }
}

const dataUrl = (bytes: Uint8Array | string, type = 'text/plain') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const part = (url: string, mediaType = 'text/plain', filename: string | null = 'a.txt') => ({
  type: 'file',
  mediaType,
  url,
  ...(filename === null ? {} : { filename }),
})
const requestOf = (...parts: object[]) =>
  readTurnRequest(
    { id: 'c', messages: [{ id: 'u1', role: 'user', parts: [...parts, { type: 'text', text: 'Look' }] }] },
    'ui',
  )

async function take(parts: object[], store = memoryStore(), userId = user) {
  const { messages } = await storeFiles(requestOf(...parts), userId, store)
  return messages[0]?.entry.content as unknown as Record<string, unknown>[]
}

async function refusal(...parts: object[]): Promise<[number, string, string]> {
  const store = memoryStore()
  const error = await take(parts, store).then(
    () => assert.fail('it was taken'),
    (cause: unknown) => cause,
  )
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(store.stored.size, 0)
  return [error.status, error.code, error.message]
}

test('an entry keeps a name, a type and an id, never bytes', async () => {
  const store = memoryStore()
  const [file, text] = await take([part(dataUrl(png), 'image/png', 'a.png')], store)
  const { file_id: id, ...facts } = file ?? {}
  assert.deepEqual(facts, { type: 'file', mediaType: 'image/png', filename: 'a.png', size: png.length })
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  assert.deepEqual(text, { type: 'text', text: 'Look' })
  assert.deepEqual(Buffer.from(store.stored.get(`${user} ${id}`)?.bytes ?? []), png)
})

test('a file is recognised as data and by its link, however old; somebody else’s is not found', async () => {
  const store = memoryStore()
  const url = dataUrl('The plan.')
  const first = await take([part(url)], store)
  assert.deepEqual(await take([part(url)], store), first)
  const link = await links.sign(String(first[0]?.file_id))
  const old = await createFileLinks(
    { filesUrl: 'http://localhost:1/functions/v1/chat/files/', serviceKey: 'k' },
    () => 0,
  ).sign(String(first[0]?.file_id))
  for (const again of [link, old])
    assert.deepEqual(await take([part(again, 'image/gif', 'other')], store), first)
  assert.equal(store.saved(), 1)
  const other = '11111111-1111-4111-8111-111111111111'
  await assert.rejects(take([part(link)], store, other), { status: 400, code: 'file_not_found' })
  const theirs = await take([part(url)], store, other)
  assert.notEqual(theirs[0]?.file_id, first[0]?.file_id)
})

test('the same file twice in a message is stored once', async () => {
  const store = memoryStore()
  const [a, b] = await take([part(dataUrl('x')), part(dataUrl('x'))], store)
  assert.deepEqual(a, b)
  assert.equal(store.saved(), 1)
})

test('a file at another address stays there', async () => {
  const elsewhere = part('https://example.com/functions/v1/chat/a.png', 'image/png', 'a.png')
  assert.deepEqual(await take([elsewhere]), [elsewhere, { type: 'text', text: 'Look' }])
})

test('what is too large, too much, empty, unreadable or called what it is not is refused in words', async () => {
  const large = (size: number) => dataUrl(new Uint8Array(size).fill(97))
  const cases: [object[], number, string, RegExp][] = [
    [[part(large(5 * mib + 1))], 413, 'file_too_large', /^The file "a\.txt" is larger than 5 MiB\./],
    [[part(large(9 * mib))], 413, 'file_too_large', /5 MiB/],
    [
      [part(large(5 * mib)), part(large(4 * mib)), part(large(1.5 * mib))],
      413,
      'files_too_large',
      /10 MiB together/,
    ],
    [
      Array.from({ length: 11 }, (_, index) => part(dataUrl(`${index}`))),
      413,
      'too_many_files',
      /10 files, not 11/,
    ],
    [[part('data:text/plain;base64,')], 400, 'empty_file', /"a\.txt" is empty/],
    [[part('data:image/png,', 'image/png', 'a.png')], 400, 'empty_file', /"a\.png" is empty/],
    [[part('data:text/plain;base64,!!!!')], 400, 'unreadable_file', /not the base64/],
    [[part('data:text/plain;base64,AAAAA')], 400, 'unreadable_file', /not the base64/],
    [[part('data:text/plain;base64,AA=')], 400, 'unreadable_file', /not the base64/],
    [[part('data:text/plain;base64')], 400, 'unreadable_file', /not the base64/],
    [[part('data:text/plain,%zz')], 400, 'unreadable_file', /cannot be read/],
    [[part('blob:https://app.example/1')], 400, 'unreadable_file', /data URL/],
    [[part('file:///etc/passwd')], 400, 'unreadable_file', /data URL/],
    [
      [part(dataUrl('<svg/>'), 'image/png', 'a.png')],
      400,
      'wrong_media_type',
      /declared as a picture \(image\/png\)/,
    ],
    [[part(dataUrl('Hello'), 'application/pdf', 'a.pdf')], 400, 'wrong_media_type', /declared as a PDF/],
    // The last of several: nothing of the others is stored.
    [[part(dataUrl('good')), part('data:text/plain;base64,')], 400, 'empty_file', /empty/],
  ]
  for (const [parts, status, code, sentence] of cases) {
    const refused = await refusal(...parts)
    assert.deepEqual(refused.slice(0, 2), [status, code], refused[2])
    assert.match(refused[2], sentence)
    assert.match(refused[2], /^[A-Z].*\.$/)
  }
})

test('exactly as much as may be is taken', async () => {
  const bytes = new Uint8Array(5 * mib).fill(97)
  const other = new Uint8Array(5 * mib).fill(98)
  const content = await take([part(dataUrl(bytes)), part(dataUrl(other))])
  assert.deepEqual(
    content.map(({ size }) => size),
    [5 * mib, 5 * mib, undefined],
  )
})

test('a file is what its bytes say, and its name can hide nothing', async () => {
  const cases: [string, string, string | null, string, string][] = [
    [dataUrl(png), 'image/jpeg', 'a.jpg', 'image/png', 'a.jpg'],
    [dataUrl(png), 'application/octet-stream', 'a', 'image/png', 'a'],
    [dataUrl('%PDF-1.7 …'), 'text/plain', null, 'application/pdf', 'file.pdf'],
    [
      dataUrl('x'),
      'TEXT/Plain; charset=x; attacker@evil.example',
      '../../etc/passwd',
      'text/plain',
      'passwd',
    ],
    [
      dataUrl('x'),
      'text/plain attacker@evil.example',
      'a\r\nBcc: e',
      'application/octet-stream',
      'a  Bcc: e',
    ],
    [dataUrl('<svg/>'), 'image/svg+xml', 'a\u202egpj.svg', 'image/svg+xml', 'a gpj.svg'],
    [dataUrl('x'), 'text/plain', '=?utf-8?Q?a?=', 'text/plain', '= utf-8?Q?a?='],
    [dataUrl('x'), 'text/plain', '..', 'text/plain', 'file.txt'],
  ]
  for (const [url, declared, name, mediaType, filename] of cases) {
    const [file] = await take([part(url, declared, name)])
    assert.deepEqual([file?.mediaType, file?.filename], [mediaType, filename], `${declared} ${name}`)
  }
  const [long] = await take([part(dataUrl('x'), 'text/plain', `${'ä'.repeat(400)}.txt`)])
  assert.ok(String(long?.filename).length <= 255 && String(long?.filename).endsWith('.txt'))
})

test('a data URL is read as it is written', () => {
  const text = (url: string) => {
    const read = readDataUrl(url)
    return read && [read.mediaType, Buffer.from(read.bytes).toString()]
  }
  assert.deepEqual(text('data:text/plain;charset=utf-8;base64,w6Q='), ['text/plain;charset=utf-8', 'ä'])
  assert.deepEqual(text(' \tDATA:text/plain;BASE64,w6Q'), ['text/plain', 'ä'])
  assert.deepEqual(text('data:,a%20b%C3%A4,c'), ['', 'a bä,c'])
  assert.deepEqual(text('data:;base64,YWJj%0AZGVm'), ['', 'abcdef'])
})

test('a link opens one file for an hour, and nothing else', async () => {
  let now = Date.UTC(2026, 0, 1, 12, 34)
  const own = createFileLinks(
    { filesUrl: 'https://project.example/functions/v1/chat/files/', serviceKey: 'key' },
    () => now,
  )
  const id = '0b7c9c0e-6c5a-8f37-9d0a-3f7c8a1b2c3d'
  const link = await own.sign(id)
  assert.ok(link.startsWith(`https://project.example/functions/v1/chat/files/${id}?expires=`))
  assert.equal(own.fileIdOf(link), id)
  const query = Object.fromEntries(new URL(link).searchParams) as { expires: string; signature: string }
  const good = await own.check(id, query)
  assert.ok(good > 3000 && good <= 3600, String(good))
  assert.equal(await own.sign(id), link)
  const wrong: [string, object][] = [
    ['1b7c9c0e-6c5a-8f37-9d0a-3f7c8a1b2c3d', query],
    [id, { ...query, expires: String(Number(query.expires) + 1) }],
    [id, { ...query, expires: `${query.expires}.0` }],
    [id, { ...query, signature: query.signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }],
    [id, { ...query, signature: '' }],
    [id, {}],
  ]
  for (const [file, given] of wrong) {
    await assert.rejects(own.check(file, given), { status: 403, code: 'link_not_valid' })
  }
  const other = createFileLinks(
    { filesUrl: 'https://project.example/functions/v1/chat/files/', serviceKey: 'other' },
    () => now,
  )
  await assert.rejects(other.check(id, query), { status: 403, code: 'link_not_valid' })
  now += 3600_000
  await assert.rejects(own.check(id, query), { status: 403, code: 'link_expired' })
  for (const url of ['https://project.example/a.png', `https://evil.example/?u=${link}`, `data:,${link}`]) {
    assert.equal(own.fileIdOf(url), undefined)
  }
})

test('only pictures are shown, everything else is saved, and nothing in a file runs', async () => {
  const types: [string, string, string][] = [
    ['image/png', 'image/png', 'inline'],
    ['image/webp', 'image/webp', 'inline'],
    ['image/svg+xml', 'application/octet-stream', 'attachment'],
    ['text/html', 'application/octet-stream', 'attachment'],
    ['application/xhtml+xml', 'application/octet-stream', 'attachment'],
    ['application/pdf', 'application/pdf', 'attachment'],
    ['text/plain', 'text/plain', 'attachment'],
  ]
  for (const [mediaType, type, kind] of types) {
    const bytes = new TextEncoder().encode('<script>1</script>')
    const { headers } = serveFile({ id: '1', filename: 'a', mediaType, size: 1, bytes }, 100)
    assert.equal(headers.get('content-type'), type)
    assert.ok(headers.get('content-disposition')?.startsWith(`${kind};`), mediaType)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=100/)
  }
  assert.equal(
    disposition('attachment', 'Größe "1"\\%41.txt'),
    'attachment; filename="Gr__e _1___41.txt"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe%20%221%22%5C%2541.txt',
  )
})

test('text is read in its own encoding, as far as a model reads a tool’s output', () => {
  const read = (bytes: Uint8Array, type = 'text/plain') => extractText(bytes, type)
  assert.deepEqual(read(Buffer.from('Größe')), { text: 'Größe' })
  assert.deepEqual(read(Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65])), { text: 'Größe' })
  assert.deepEqual(read(Buffer.from('\ufeffGröße', 'utf16le')), { text: 'Größe' })
  assert.deepEqual(read(Buffer.from('<meta charset="iso-8859-2"><p>\xb1', 'latin1'), 'text/html'), {
    text: '<meta charset="iso-8859-2"><p>ą',
  })
  assert.deepEqual(read(Buffer.from('fn main() {}'), 'application/octet-stream'), { text: 'fn main() {}' })
  assert.deepEqual(read(Buffer.from('{"a":1}'), 'application/vnd.api+json'), { text: '{"a":1}' })
  for (const binary of [png, Buffer.from([0x50, 0x4b, 3, 4, 0, 0])]) {
    assert.deepEqual(read(binary, 'application/zip'), { note: 'Its content cannot be read here.' })
  }
  assert.deepEqual(read(Buffer.from([0x61, 0, 0x62])), { note: 'Its content cannot be read here.' })
  assert.deepEqual(read(Buffer.from(' \n')), { note: 'There is no text in it.' })
  const { text = '', note } = read(Buffer.from('ä'.repeat(3_000_000).slice(0, 2_500_000)))
  assert.ok(new TextEncoder().encode(text).length <= 32 * 1024)
  assert.equal(
    note,
    `Only the first ${text.length} of 2500000 characters of this file are shown. To have the rest read, the user can attach it as a file of its own.`,
  )
  assert.ok('ä'.repeat(2_500_000).startsWith(text))
})

test('of a file that no longer fits, the model is told how long it is and how it can be read', async () => {
  const ids = [1, 2, 3, 4].map((number) => `0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3${number}`)
  const known = ids.map((id) => {
    const reading = { text: '🚢'.repeat(15_000) }
    return [id, { id, mediaType: 'text/plain', filename: `${id}.txt`, size: 60_000, reading }] as const
  })
  const files = { find: async () => new Map(known) } as unknown as FileStore
  const content = known.map(([, { id, mediaType, filename }]) => ({
    type: 'file' as const,
    file_id: id,
    mediaType,
    filename,
  }))
  const { contents } = await loadFileContents(
    [{ type: 'user-message', content }],
    user,
    files,
    {} as FileTextClient,
  )
  assert.deepEqual(
    ids.map((id) => contents.get(id)?.note),
    [
      undefined,
      undefined,
      undefined,
      'None of its 15000 characters are shown: with the other files that would be too much at once. The user can attach it again by itself.',
    ],
  )
})
