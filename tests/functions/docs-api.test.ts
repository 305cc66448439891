import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { shortenOutput } from '../../shared/engine/tools/shorten-output.ts'
import { createFunctionApp } from '../../shared/server/integration-function/integration-app.ts'
import { createActions } from '../../supabase/functions/docs-api/actions.ts'
import { integration, readDocument } from '../../supabase/functions/docs-api/integration.ts'
import { documentCallers } from '../../support/document-calls.ts'
import { startGoogleDocsProcess } from '../../support/google-docs-process.ts'
import { tokens } from '../../support/google-docs-server.ts'

const jwtSecret = 'a-secret-of-the-local-stack-with-32-characters'
/** The real function; port 1 stands for a database that is down. */
const app = createFunctionApp(integration, createActions, {
  SUPABASE_URL: 'http://127.0.0.1:1',
  SUPABASE_SERVICE_ROLE_KEY: 'key',
  ASKBACK_JWT_SECRET: jwtSecret,
  ASKBACK_FUNCTION_SECRET: 'another-secret-between-functions-of-32-characters',
})
const token = await new SignJWT({
  sub: '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d',
  aud: 'authenticated',
  exp: Math.floor(Date.now() / 1000) + 600,
})
  .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
  .sign(new TextEncoder().encode(jwtSecret))

async function post(action: string, params: unknown) {
  const response = await app.request('/docs-api', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ action, params }),
  })
  assert.equal(response.status, 200)
  return await response.json()
}

const document_id = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'

test('bad input is a question about the place that is wrong, and nothing is asked of anybody else', async () => {
  const bad: [action: string, params: Record<string, unknown>, parameter: string, question: RegExp][] = [
    ['create_document', {}, 'title', /What should the document be called\?/],
    ['create_document', { title: '' }, 'title', /./],
    ['create_document', { title: 'x'.repeat(501) }, 'title', /./],
    ['create_document', { title: 'x', content: 'x'.repeat(1_000_001) }, 'content', /./],
    ['create_document', { title: 'x', content: { a: 1 } }, 'content', /./],
    ['read_document', {}, 'document_id', /Which document is it\?/],
    ['read_document', { document_id: '' }, 'document_id', /./],
    ['read_document', { document_id: '../../v1/documents/x' }, 'document_id', /./],
    ['read_document', { document_id: 'a b c d e f g h' }, 'document_id', /./],
    ['read_document', { document_id: 'my plan' }, 'document_id', /./],
    ['read_document', { document_id: 'https://evil.example/document/d/12345678' }, 'document_id', /./],
    ['read_document', { document_id: `x${'y'.repeat(600)}` }, 'document_id', /./],
    ['read_document', { document_id, from: -1 }, 'from', /./],
    ['read_document', { document_id, from: 1.5 }, 'from', /./],
    ['read_document', { document_id, from: 'the end' }, 'from', /./],
    ['append_text', { document_id }, 'text', /What should be added to the document\?/],
    ['append_text', { document_id, text: 'x'.repeat(100_001) }, 'text', /./],
    ['replace_text', { document_id, replace: 'x' }, 'find', /Which text should be replaced\?/],
    ['replace_text', { document_id, find: '', replace: 'x' }, 'find', /./],
    ['replace_text', { document_id, find: 'x' }, 'replace', /What should stand there instead\?/],
    ['search', {}, 'query', /Which words should be searched for\?/],
    ['search', { query: 'x', max_results: 0 }, 'max_results', /./],
    ['search', { query: 'x', max_results: 101 }, 'max_results', /./],
    ['share', { document_id, role: 'reader' }, 'emails', /Who should the document be shared with\?/],
    ['share', { document_id, emails: [], role: 'reader' }, 'emails', /./],
    ['share', { document_id, emails: ['nobody'], role: 'reader' }, 'emails[0]', /./],
    ['share', { document_id, emails: ['a@b.example\r\nbcc: c@d.example'], role: 'reader' }, 'emails[0]', /./],
    ['share', { document_id, emails: ['a@b.example'] }, 'role', /read it, comment on it, or write in it/],
    ['share', { document_id, emails: ['a@b.example'], role: 'owner' }, 'role', /./],
  ]
  for (const [action, params, parameter, question] of bad) {
    const error = await post(action, params)
    assert.equal(error.ok, false, `${action} ${parameter}`)
    assert.equal(error.details.parameter, parameter, `${action}: ${error.error}`)
    assert.match(error.error, /^Question: /)
    assert.match(error.error, question)
    assert.equal(error.resolver, 'model')
  }
})

test('people are asked for a link or a name where the model is told of the id', async () => {
  const { error, details } = await post('read_document', { document_id: 'my plan' })
  assert.match(error, /^Question: There seems to be an issue with the document\. Please provide its id/)
  assert.deepEqual(details.asked, {
    code: 'value_unfit',
    values: {
      tool: 'Read document',
      toolName: 'docs_read_document',
      parameter: 'document_id',
      field: 'document',
      value: 'my plan',
      question: 'Which document is it?',
      hint: 'Please provide its id or its address; a search for words of it finds both.',
      label: { owner: '', takesArticle: true, text: 'document' },
      fault: 'pattern',
      unfit: "I couldn't find that document. Paste its link or tell me its name.",
    },
  })
})

test('an empty text to replace with is a value: a database that is down is where it ends, in words', async () => {
  const error = await post('replace_text', { document_id, find: 'x', replace: '' })
  assert.equal(error.errorType, 'unavailable')
  assert.match(error.error, /so nothing was done/)
})

const { url, loseAnswer, inspect } = await startGoogleDocsProcess()
const ada = documentCallers({ google: { url, token: tokens.ada } })

async function make(title: string, content: string): Promise<string> {
  const { result } = await ada.call('docs_create_document', { title, content })
  assert.ok(result.ok, JSON.stringify(result))
  return (result.data as { document_id: string }).document_id
}

async function markdownOf(id: string): Promise<string> {
  return (await inspect()).documents.find((document) => document.id === id)?.markdown ?? ''
}

test('a document at Google is made, read and added to, on this runtime', async () => {
  const id = await make('Zürich 🚢', '# Hi\n\n**there**')
  await ada.call('docs_append_text', { document_id: id, text: '| a |\n|-|\n| ü |' })
  const read = await ada.call('docs_read_document', { document_id: id })
  assert.match(JSON.stringify(read.result), /\*\*there\*\*/)
  assert.match(await markdownOf(id), /\| ü \|/)
})

test('a long document at Google is read on from where its notes say, tables and all, on this runtime', async () => {
  const rows = Array.from({ length: 6_000 }, (_, index) => `| ${index} | Zürich 🚢 "quay" ${index} |`)
  const content = ['# Ships', '', '| no | where |', '| ---- | ---- |', ...rows].join('\n')
  const id = await make('ships', content)
  // Too long for a table: each line is a paragraph.
  const whole = ['\\# Ships', '| no | where |', '| ---- | ---- |', ...rows].join('\n\n')
  let read = ''
  let parts = 0
  for (let from: number | undefined = 0; from !== undefined; parts++) {
    const args: { document_id: string; from: number } = { document_id: id, from }
    const { result } = await ada.call('docs_read_document', args)
    assert.ok(result.ok, JSON.stringify(result))
    const { specification } = readDocument
    const shown = shortenOutput(result.data, specification.maxOutputBytes, { tool: specification, args })
    read += (shown.data as { content: string }).content
    const next: string | undefined = /; call again with from: (\d+) for more\.$/.exec(shown.note ?? '')?.[1]
    from = next === undefined ? undefined : Number(next)
  }
  assert.ok(read === whole, `${read.length} of ${whole.length} were read`)
  assert.ok(parts > 1, String(parts))
})

test('a connection that breaks off does nothing twice, on this runtime', async () => {
  await loseAnswer('upload')
  const id = await make('once', 'x')
  const once = (await inspect()).documents.filter(({ name }) => name === 'once')
  assert.deepEqual(
    once.map((document) => document.id),
    [id],
  )
  await loseAnswer('batchUpdate')
  assert.equal((await ada.call('docs_append_text', { document_id: id, text: 'added' })).status, 'succeeded')
  assert.equal(await markdownOf(id), 'x\n\nadded\n')
  await loseAnswer('permissions')
  const share = { document_id: id, emails: ['grace@example.com'], role: 'reader' }
  assert.equal((await ada.call('docs_share', share)).status, 'succeeded')
  assert.equal((await inspect()).mails, 1)
})

test('a table of 10,000 cells is added on this runtime', async () => {
  const id = await make('large', '')
  const row = `| ${Array(20).fill('cell').join(' | ')} |\n`
  const table = `${row}|${'-|'.repeat(20)}\n${row.repeat(499)}`
  assert.equal((await ada.call('docs_append_text', { document_id: id, text: table })).status, 'succeeded')
  assert.equal((await markdownOf(id)).match(/cell/g)?.length, 10_000)
})
