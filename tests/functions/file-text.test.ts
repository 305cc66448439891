import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import process from 'node:process'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { signTicket, ticketHeader } from '../../shared/server/authentication/internal-ticket.ts'
import { extractPdfText } from '../../supabase/functions/chat/files/extract-pdf-text.ts'
import { createApp } from '../../supabase/functions/file-text/app.ts'
import { parseInWorker } from '../../supabase/functions/file-text/parse-in-worker.ts'
import { type ParsedPdf, parsePdf } from '../../supabase/functions/file-text/parse-pdf.ts'
import { gate } from '../../support/gate.ts'
import { makePdf } from '../../support/pdf.ts'

const secret = 'another-secret-between-functions-of-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const settings: Parameters<typeof createApp>[0] = {
  verify: async (token) => {
    if (token !== 'good') throw Object.assign(new Error('no'), { status: 401 })
    return { userId, token, expiresAt: 0 }
  },
  functionSecret: secret,
}
let refusal: string | null = null
const app = createApp(settings, async () => refusal, parsePdf)
const post = (
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { authorization: 'Bearer good' },
) => app.request('/file-text?file=f1', { method: 'POST', headers, body })

test('a PDF is read page by page', async () => {
  const response = await post(makePdf(['The meeting is at ten.', 'Bring a cake.']))
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), {
    text: 'The meeting is at ten.\n\nBring a cake.',
    pages: 2,
    readPages: 2,
    isWhole: true,
  })
})

test('of one that is long only the beginning is read', async () => {
  const pages = Array.from({ length: 500 }, (_, index) => `Page ${index + 1} says something.`)
  const { text, pages: all, readPages, isWhole } = await parsePdf(makePdf(pages))
  assert.equal(all, 500)
  assert.equal(isWhole, false)
  assert.ok(readPages >= 1 && readPages <= 200, String(readPages))
  assert.ok(text.startsWith('Page 1 says something.'))
})

test('the model is told how much of one was read, and how it gets the rest', async () => {
  let parsed: ParsedPdf | undefined
  const noting = createApp(
    settings,
    async () => null,
    async (bytes) => {
      parsed = await parsePdf(bytes)
      return parsed
    },
  )
  const read = (bytes: Uint8Array<ArrayBuffer>) =>
    extractPdfText(
      { id: 'f1', bytes },
      {
        functionUrl: (route) => `http://files.example/${route}`,
        headersFor: async () => ({ authorization: 'Bearer good' }),
        fetch: async (url, init) => await noting.request(String(url), init),
      },
    )
  const rest = 'To have the rest read, the user can attach it as a file of its own.'
  assert.deepEqual(await read(makePdf(['All of it.'])), { text: 'All of it.' })
  const page = `BT /F1 12 Tf 72 720 Td ${`(${'x'.repeat(60)}) Tj 0 -12 Td `.repeat(60)} ET`
  // Cut for the model, and, of the longer one, before the end of the file. A busy machine may read less of either.
  for (const count of [10, 20]) {
    const { text = '', note } = (await read(makePdf(Array(count).fill(''), page))) ?? {}
    assert.ok(parsed)
    const { isWhole, readPages } = parsed
    assert.ok(count === 10 || !isWhole, `${readPages}`)
    const total = `${isWhole ? '' : 'at least '}${parsed.text.length}`
    const pages = `It has ${count} pages; no more than the first ${readPages} were read. `
    assert.equal(
      note,
      `Only the first ${text.length} of ${total} characters of this file are shown. ${readPages < count ? pages : ''}${rest}`,
    )
  }
})

test('one that is broken or locked is refused in words', async () => {
  for (const bytes of [
    Buffer.from('%PDF-1.7\nnothing'),
    Buffer.from('no PDF'),
    makePdf(['x']).slice(0, 200),
  ]) {
    const response = await post(new Uint8Array(bytes))
    if (response.status === 200) {
      assert.equal((await response.json()).text, '')
      continue
    }
    assert.equal(response.status, 422)
    assert.match((await response.json()).error.message, /damaged, locked or too large/)
  }
})

test('nobody gets in but the user, or the chat in their name for this one file', async () => {
  const ticket = async (file: string, key = secret) => {
    const hash = await argumentHash({ file })
    const facts = { subject: userId, run: crypto.randomUUID(), tool: 'read_file_text', argumentHash: hash }
    return { [ticketHeader]: await signTicket({ ...facts, idempotencyKey: file }, key) }
  }
  assert.equal((await post(makePdf(['x']), await ticket('f1'))).status, 200)
  for (const headers of [await ticket('f2'), await ticket('f1', `${secret}!`)]) {
    assert.equal((await post(makePdf(['x']), headers)).status, 401)
  }
  assert.equal((await post(new Uint8Array(5 * 1024 * 1024 + 1))).status, 413)
})

test('the token of an account that was deleted opens nothing, before the file is read', async () => {
  refusal = 'unknown_user'
  try {
    const response = await post(new Uint8Array(5 * 1024 * 1024 + 1))
    assert.equal(response.status, 401)
    assert.match((await response.json()).error.message, /no longer exists/)
  } finally {
    refusal = null
  }
})

/** Reads in a thread; `isOver` tells whether the process would have ended. */
function watched() {
  const state = { isOver: false }
  const read = (bytes: Uint8Array<ArrayBuffer>) =>
    parseInWorker(bytes, () => {
      state.isOver = true
    })
  return { state, read }
}

test('one page that would take all time is given up, and what comes next is read', async () => {
  const bomb = makePdf(['a'], 'BT /F1 12 Tf 72 720 Td '.concat('(aaaaaaaaaa) Tj '.repeat(4_000_000), 'ET'))
  assert.ok(bomb.byteLength < 5 * 1024 * 1024)
  const { state, read } = watched()
  await assert.rejects(read(bomb), /takes too (long|much)/)
  assert.ok(state.isOver)
  const next = watched()
  assert.equal((await next.read(makePdf(['Fine.']))).text, 'Fine.')
  await assert.rejects(next.read(new Uint8Array([1, 2, 3])), /cannot be read/)
  assert.equal(next.state.isOver, false)
})

test('what is deflated twice is refused before it is inflated', async () => {
  const twice = deflateSync(deflateSync(Buffer.alloc(400_000_000, ' '), { level: 9 }), { level: 9 })
  const bomb = withStream(twice, '[/FlateDecode /FlateDecode]')
  assert.ok(bomb.byteLength < 5000)
  const before = process.memoryUsage().rss
  await assert.rejects(parsePdf(bomb))
  assert.ok(process.memoryUsage().rss - before < 100_000_000)
})

test('one that fills the memory ends the process before it has taken much', async () => {
  const bomb = withStream(deflateSync(Buffer.alloc(1_200_000_000, ' '), { level: 9 }), '/FlateDecode')
  assert.ok(bomb.byteLength < 5 * 1024 * 1024)
  const before = process.memoryUsage().rss
  const { state, read } = watched()
  // Whichever comes first.
  await assert.rejects(read(bomb), /takes too (?:much memory|long)/)
  assert.ok(state.isOver)
  assert.ok(process.memoryUsage().rss - before < 700_000_000)
})

test('documents are read one at a time, and not too many wait', async () => {
  let open = 0
  const { opened: released, open: go } = gate()
  const busy = createApp(
    settings,
    async () => null,
    async () => {
      open += 1
      assert.equal(open, 1)
      await released
      open -= 1
      return { text: 'read', pages: 1, readPages: 1, isWhole: true }
    },
  )
  const asked = Array.from({ length: 12 }, async () => {
    const init = { method: 'POST', headers: { authorization: 'Bearer good' }, body: makePdf(['x']) }
    const { status } = await busy.request('/file-text?file=f1', init)
    // The first refusal means that all are there.
    if (status === 429) go()
    return status
  })
  const statuses = (await Promise.all(asked)).toSorted()
  assert.deepEqual(statuses, [...Array(9).fill(200), ...Array(3).fill(429)])
})

/** A PDF with one page, whose content is this stream. */
function withStream(bytes: Uint8Array, filter: string): Uint8Array<ArrayBuffer> {
  const head = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj
4 0 obj <</Length ${bytes.byteLength}/Filter ${filter}>>
stream
`
  const tail = '\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n'
  return new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]))
}
