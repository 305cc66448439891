import { beforeAll, expect, test } from 'vitest'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import { readDocument } from '../../../supabase/functions/docs-api/integration.ts'
import { startScenario } from '../../../support/agent-scenario.ts'
import { type DocumentCallers, documentCallers } from '../../../support/document-calls.ts'
import { callTool, type ModelServerRequest, say } from '../../../support/model-server.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let ada: DocumentCallers
let read: Tool
beforeAll(async () => {
  const rpc = createRpc({
    url: 'http://127.0.0.1',
    serviceKey: database.keys.secretKey,
    fetch: (input, init) => database.dataApi.fetch(new Request(input, init)),
  })
  ada = documentCallers({ userId: await db.createUser(), rpc })
  read = {
    specification: readDocument.specification,
    execute: (args, { idempotencyKey }) => ada.deliver('docs_read_document', args, idempotencyKey),
  }
})

async function make(content: string): Promise<string> {
  const { result } = await ada.call('docs_create_document', { title: 'Long', content })
  return (result.ok && (result.data as { document_id: string }).document_id) || ''
}

/** What the model was shown last: the document, and the note below it. */
function shownIn({ body }: ModelServerRequest): { content: string; note: string } {
  const text = String(body.messages.findLast(({ role }) => role === 'tool')?.content)
  const [json = '', below = ''] = text.split('\n')
  const { content, note = below } = JSON.parse(json)
  return { content, note }
}

/** Lets a model read a document by the notes alone; returns what it has read, in parts. */
async function readOn(document_id: string, onPart: () => unknown = () => {}) {
  const parts: { content: string; note: string }[] = []
  await using scenario = await startScenario({
    stream: false,
    tools: [read],
    // A smaller one would cut what was read before.
    windows: new Map([['any/scripted-model', 1_000_000]]),
    script: async (request) => {
      if (request.number === 1) return callTool('docs_read_document', { document_id })
      const part = shownIn(request)
      parts.push(part)
      await onPart()
      const next = /; call again with from: (\d+) for more\.$/.exec(part.note)?.[1]
      return next === undefined
        ? say('Read.')
        : callTool('docs_read_document', { document_id, from: Number(next) })
    },
  })
  expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Read.' })
  return parts
}

/** A document of so many characters, each with its place in it. */
const letters = (count: number, unit = 'abcdefghij') =>
  unit.repeat(Math.ceil(count / unit.length)).slice(0, count)

test.each([
  ['nothing', ''],
  ['128 KiB', letters(131_072)],
  ['one character more', letters(131_073)],
  ['half a million', letters(500_000, 'the quick "brown" fox\n')],
  ['characters outside the BMP, at each border', `x${'🚢'.repeat(70_000)}`],
  ['one before them', '🚢👩\u200d🚀ü漢'.repeat(20_000)],
])('a model reads a document to its end by the notes, as it stands: %s', async (_, content) => {
  const parts = await readOn(await make(content))
  expect(parts.map((part) => part.content).join('')).toBe(content)
  // No number or address is read in two halves.
  if (content.includes(' ')) for (const part of parts.slice(0, -1)) expect(part.content).toMatch(/\s$/)
  for (const part of parts) expect(part.content).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
  expect(parts.at(-1)?.note).toBe('')
  const bytes = new TextEncoder().encode(JSON.stringify(content)).length
  expect(parts.length).toBe(Math.max(1, Math.ceil(bytes / 130_900)))
})

test('beyond the end stands how long the document is, and that is no error', async () => {
  const document_id = await make('A 🚢.')
  for (const [from, content, note] of [
    [0, 'A 🚢.', undefined],
    [3, '.', undefined],
    [4, '', 'This document has 4 characters: nothing follows from 4 on.'],
    [1_000_000_000, '', 'This document has 4 characters: nothing follows from 1000000000 on.'],
  ] as const) {
    const { result } = await ada.call('docs_read_document', { document_id, from })
    expect(result).toMatchObject({ ok: true, data: { document_id, title: 'Long', content } })
    expect(result.ok && (result.data as { note?: string }).note).toBe(note)
  }
})

test('a document that changes between two reads is read as it is now, and its revision says so', async () => {
  const document_id = await make(letters(200_000))
  let revisions = 0
  const parts = await readOn(document_id, async () => {
    if (revisions++ === 0) await ada.call('docs_append_text', { document_id, text: 'The new end.' })
  })
  expect(parts.at(-1)?.content).toMatch(/The new end\.$/)
})
