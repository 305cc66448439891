import { Readable } from 'node:stream'
import { docs, type docs_v1 } from '@googleapis/docs'
import { drive } from '@googleapis/drive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importText } from '../../../local/simulator/docs/import-markdown.ts'
import { googleOutages } from '../../../local/simulator/google-docs.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../../support/google-docs-server.ts'

// Google's own clients, unmodified: what they send is understood, and what is answered they understand.

let google: GoogleDocsServer
beforeAll(async () => {
  google = await startGoogleDocs()
})
afterAll(() => google.close())

function clientsOf(token: string) {
  const options = { headers: { authorization: `Bearer ${token}` }, retry: false }
  return {
    docs: docs({ version: 'v1', rootUrl: `${google.url}/`, ...options }),
    drive: drive({ version: 'v3', rootUrl: `${google.url}/`, ...options }),
  }
}

const failureOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  )
  return { status: error?.response?.status, error: error?.response?.data?.error }
}

async function batch(documentId: string, requests: docs_v1.Schema$Request[], writeControl?: object) {
  const { docs } = clientsOf(tokens.ada)
  const requestBody = { requests, ...(writeControl ? { writeControl } : {}) }
  return (await docs.documents.batchUpdate({ documentId, requestBody })).data
}

const textOf = (document: docs_v1.Schema$Document | docs_v1.Schema$DocumentTab) =>
  (document.body?.content ?? [])
    .flatMap(({ paragraph }) => paragraph?.elements ?? [])
    .map(({ textRun }) => textRun?.content)
    .join('')

test('a document is made, written, read and counted in UTF-16 code units', async () => {
  const { docs } = clientsOf(tokens.ada)
  const made = await docs.documents.create({ requestBody: { title: 'Plan' } })
  const documentId = made.data.documentId as string
  expect(made.data.title).toBe('Plan')
  expect(made.data.revisionId).toBeTruthy()
  const written = await batch(documentId, [
    { insertText: { location: { index: 1 }, text: 'Ship 🚢 it\nToday' } },
    {
      updateTextStyle: {
        range: { startIndex: 1, endIndex: 5 },
        textStyle: { bold: true },
        fields: 'bold',
      },
    },
    {
      updateParagraphStyle: {
        range: { startIndex: 1, endIndex: 2 },
        paragraphStyle: { namedStyleType: 'HEADING_1' },
        fields: 'namedStyleType',
      },
    },
    { deleteContentRange: { range: { startIndex: 6, endIndex: 9 } } },
  ])
  expect(written.replies).toHaveLength(4)
  const { data } = await docs.documents.get({ documentId })
  expect(textOf(data)).toBe('Ship it\nToday\n')
  expect(data.revisionId).toBe(written.writeControl?.requiredRevisionId)
  const [, first, second] = data.body?.content ?? []
  expect(first?.paragraph?.paragraphStyle?.namedStyleType).toBe('HEADING_1')
  expect(first?.paragraph?.elements?.[0]?.textRun).toEqual({ content: 'Ship', textStyle: { bold: true } })
  expect([second?.startIndex, second?.endIndex]).toEqual([9, 15])
})

test('a table takes the indices that Google documents: a newline before it, one each for table, row and cell', async () => {
  const { docs } = clientsOf(tokens.ada)
  const documentId = (await docs.documents.create({ requestBody: {} })).data.documentId as string
  await batch(documentId, [
    { insertTable: { rows: 2, columns: 2, location: { index: 1 } } },
    { insertText: { location: { index: 12 }, text: 'last' } },
    { insertText: { location: { index: 5 }, text: 'first' } },
  ])
  const { data } = await docs.documents.get({ documentId })
  const table = data.body?.content?.find((element) => element.table)
  expect([table?.startIndex, table?.endIndex]).toEqual([2, 14 + 9])
  const cells = table?.table?.tableRows?.flatMap(({ tableCells }) => tableCells ?? [])
  const words = cells?.map((cell) => cell.content?.[0]?.paragraph?.elements?.[0]?.textRun?.content)
  expect(words).toEqual(['first\n', '\n', '\n', 'last\n'])
})

test('a batch is carried out whole or not at all, and only on the revision that it names', async () => {
  const { docs } = clientsOf(tokens.ada)
  const documentId = (await docs.documents.create({ requestBody: {} })).data.documentId as string
  const insert = { insertText: { location: { index: 1 }, text: 'a' } }
  const bad = await failureOf(
    batch(documentId, [insert, { insertText: { location: { index: 99 }, text: 'b' } }]),
  )
  expect(bad).toMatchObject({ status: 400, error: { code: 400, status: 'INVALID_ARGUMENT' } })
  expect(bad.error.message).toContain('must be less than the end index of the referenced segment')
  const { revisionId } = (await docs.documents.get({ documentId })).data
  await batch(documentId, [insert], { requiredRevisionId: revisionId })
  const stale = await failureOf(batch(documentId, [insert], { requiredRevisionId: revisionId }))
  expect(stale).toMatchObject({ status: 400, error: { status: 'INVALID_ARGUMENT' } })
  expect(textOf((await docs.documents.get({ documentId })).data)).toBe('a\n')
})

test('named ranges, bullets and replaceAllText do what Google documents', async () => {
  const { docs } = clientsOf(tokens.ada)
  const documentId = (await docs.documents.create({ requestBody: {} })).data.documentId as string
  const { replies } = await batch(documentId, [
    { insertText: { location: { index: 1 }, text: 'one\n\ttwo\nTWO two' } },
    { createNamedRange: { name: 'mark', range: { startIndex: 1, endIndex: 4 } } },
    {
      createParagraphBullets: {
        range: { startIndex: 1, endIndex: 6 },
        bulletPreset: 'BULLET_DISC_CIRCLE_SQUARE',
      },
    },
    { replaceAllText: { containsText: { text: 'two', matchCase: true }, replaceText: 'three' } },
  ])
  expect(replies?.[3]?.replaceAllText?.occurrencesChanged).toBe(2)
  const { data } = await docs.documents.get({ documentId, fields: 'namedRanges,body(content(paragraph))' })
  expect(data.revisionId).toBeUndefined()
  expect(textOf(data)).toBe('one\nthree\nTWO three\n')
  const levels = data.body?.content?.map(({ paragraph }) => paragraph?.bullet?.nestingLevel)
  expect(levels?.slice(1)).toEqual([undefined, 1, undefined])
  expect(data.namedRanges?.mark?.namedRanges?.[0]?.ranges).toEqual([{ startIndex: 1, endIndex: 4 }])
})

test('tabs are only returned when asked for; a place is in the first one, and a replacement in all, unless tabs are named', async () => {
  const { docs } = clientsOf(tokens.ada)
  const tab = (id: string, text: string, parentId?: string) => ({
    id,
    title: id,
    ...(parentId ? { parentId } : {}),
    paper: importText('text/plain', text),
  })
  const { id: documentId } = google.addDocument({
    owner: 'ada@example.com',
    tabs: [tab('t.0', 'one 1'), tab('t.1', 'two 1'), tab('t.2', 'three 1', 't.1')],
  })
  const plain = (await docs.documents.get({ documentId })).data
  expect([textOf(plain), plain.tabs]).toEqual(['one 1\n', undefined])
  const whole = async () => (await docs.documents.get({ documentId, includeTabsContent: true })).data
  const texts = async () => {
    const [first, second] = (await whole()).tabs ?? []
    return [first, second, second?.childTabs?.[0]].map((one) => textOf(one?.documentTab ?? {}))
  }
  expect((await whole()).body).toBeUndefined()
  expect((await whole()).tabs?.[1]?.childTabs?.[0]?.tabProperties).toEqual({
    tabId: 't.2',
    title: 't.2',
    index: 0,
    parentTabId: 't.1',
    nestingLevel: 1,
  })
  const containsText = { text: '1', matchCase: true }
  const { replies } = await batch(documentId, [
    { insertText: { location: { index: 1 }, text: 'a ' } },
    { insertText: { endOfSegmentLocation: { tabId: 't.1' }, text: ' b' } },
    { replaceAllText: { containsText, replaceText: '2', tabsCriteria: { tabIds: ['t.2'] } } },
    { replaceAllText: { containsText, replaceText: '3' } },
    { createNamedRange: { name: 'mark', range: { startIndex: 1, endIndex: 2, tabId: 't.2' } } },
  ])
  expect(replies?.map(({ replaceAllText }) => replaceAllText?.occurrencesChanged)).toEqual([
    undefined,
    undefined,
    1,
    2,
    undefined,
  ])
  expect(await texts()).toEqual(['a one 3\n', 'two 3 b\n', 'three 2\n'])
  expect(Object.keys((await whole()).tabs?.[1]?.childTabs?.[0]?.documentTab?.namedRanges ?? {})).toEqual([
    'mark',
  ])
  const unknown = batch(documentId, [{ insertText: { location: { index: 1, tabId: 't.9' }, text: 'x' } }])
  expect(await failureOf(unknown)).toMatchObject({ status: 400, error: { status: 'INVALID_ARGUMENT' } })
})

test('an upload of Markdown becomes a document, is found by what the app wrote on it, and is exported again', async () => {
  const { drive } = clientsOf(tokens.ada)
  const { data } = await drive.files.create(
    {
      requestBody: {
        name: 'Trip to Zürich',
        mimeType: 'application/vnd.google-apps.document',
        appProperties: { key: "it's" },
      },
      media: { mimeType: 'text/markdown', body: Readable.from(['# Zürich\n\nBy **train**.']) },
      fields: 'id,name,webViewLink',
    },
    // Uploads go to the root of the call, not to that of the client.
    { rootUrl: `${google.url}/` },
  )
  expect(data.name).toBe('Trip to Zürich')
  const found = await drive.files.list({
    q: "appProperties has { key='key' and value='it\\'s' } and trashed = false",
  })
  expect(found.data.files?.map(({ id }) => id)).toEqual([data.id])
  const exported = await drive.files.export({ fileId: data.id as string, mimeType: 'text/markdown' })
  expect(exported.data).toBe('# Zürich\n\nBy **train**.\n')
})

test('listing pages through what a full-text query finds, and a token goes with its query', async () => {
  const { drive } = clientsOf(tokens.ada)
  for (const name of ['a', 'b', 'c'])
    google.addDocument({ owner: 'ada@example.com', name, markdown: 'quarterly numbers' })
  const q = "fullText contains 'quarterly'"
  const first = await drive.files.list({ q, pageSize: 2 })
  expect(first.data.files).toHaveLength(2)
  const pageToken = first.data.nextPageToken as string
  const second = await drive.files.list({ q, pageSize: 2, pageToken })
  expect(second.data.files).toHaveLength(1)
  expect(second.data.nextPageToken).toBeUndefined()
  expect(await failureOf(drive.files.list({ q, pageToken: 'x' }))).toMatchObject({
    status: 400,
    error: { errors: [{ reason: 'invalid', location: 'pageToken' }] },
  })
  expect(await failureOf(drive.files.list({ q: 'name likes x' }))).toMatchObject({ status: 400 })
  expect(await failureOf(drive.files.list({ q, orderBy: 'name' }))).toMatchObject({
    status: 400,
    error: { errors: [{ reason: 'badRequest' }] },
  })
})

test('the scope drive.file shows only files of the app, and of those only what was shared', async () => {
  const foreign = google.addDocument({ owner: 'ada@example.com', madeByApp: false, markdown: 'x' })
  const own = google.addDocument({ owner: 'ada@example.com', markdown: 'x' })
  const seen = async (token: string, id: string) => {
    const { docs, drive } = clientsOf(token)
    const inDrive = await failureOf(drive.files.get({ fileId: id }))
    const inDocs = await failureOf(docs.documents.get({ documentId: id }))
    return [inDrive.status ?? 200, inDocs.status ?? 200]
  }
  expect(await seen(tokens.ada, foreign.id)).toEqual([404, 404])
  expect(await seen(tokens.adaEverything, foreign.id)).toEqual([200, 200])
  expect(await seen(tokens.grace, own.id)).toEqual([404, 404])
  const { drive } = clientsOf(tokens.ada)
  const permission = await drive.permissions.create({
    fileId: own.id,
    requestBody: { type: 'user', role: 'reader', emailAddress: 'grace@example.com' },
  })
  expect(permission.data.role).toBe('reader')
  expect(google.sharing.notified.at(-1)).toEqual({ fileId: own.id, email: 'grace@example.com' })
  expect(await seen(tokens.grace, own.id)).toEqual([200, 200])
  const grace = clientsOf(tokens.grace)
  const readOnly = await grace.docs.documents.get({ documentId: own.id })
  expect(readOnly.data.revisionId).toBeUndefined()
  expect(
    await failureOf(
      grace.drive.permissions.create({
        fileId: own.id,
        requestBody: { type: 'user', role: 'reader', emailAddress: 'eve@example.com' },
      }),
    ),
  ).toMatchObject({ status: 403, error: { errors: [{ reason: 'insufficientFilePermissions' }] } })
})

test('failures come in the forms that Google documents', async () => {
  const { drive, docs } = clientsOf(tokens.ada)
  expect(await failureOf(clientsOf('nobody').drive.files.list())).toMatchObject({
    status: 401,
    error: { status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] },
  })
  expect(await failureOf(clientsOf(tokens.adaAddress).drive.files.list())).toMatchObject({
    status: 403,
    error: { details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
  })
  expect(await failureOf(drive.files.get({ fileId: 'no-such-file' }))).toMatchObject({
    status: 404,
    error: { errors: [{ reason: 'notFound', location: 'fileId' }] },
  })
  for (const [name, make] of Object.entries(googleOutages)) {
    google.faults.plan(/^GET .*documents/, { answer: make() })
    const failure = await failureOf(docs.documents.get({ documentId: 'x' }))
    expect(failure.error, name).toMatchObject({ code: failure.status })
  }
})

test('a connection breaks off before, after or long before the request is carried out', async () => {
  const { drive } = clientsOf(tokens.ada)
  const named = (name: string) => google.files.filter((file) => file.name === name)
  const make = (name: string) => drive.files.create({ requestBody: { name } })
  for (const connection of ['cut', 'lost', 'late'] as const) {
    google.faults.plan(/^POST .*files$/, { connection })
    await expect(make(connection)).rejects.toThrow()
  }
  expect([named('cut').length, named('lost').length, named('late').length]).toEqual([0, 1, 0])
  await google.faults.arrive()
  expect(named('late')).toHaveLength(1)
})
