import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '../../../local/process/free-port.ts'
import {
  docsError,
  fileNotFound,
  scopeInsufficient,
  unauthenticated,
} from '../../../local/simulator/docs/docs-error.ts'
import { googleOutages } from '../../../local/simulator/google-docs.ts'
import type { ToolError } from '../../../shared/engine/core/tool-error.ts'
import type { Executed } from '../../../shared/engine/loop/round/execute-tool-call.ts'
import { type DocumentCallers, documentCallers } from '../../../support/document-calls.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../../support/google-docs-server.ts'

let google: GoogleDocsServer
let ada: DocumentCallers
beforeAll(async () => {
  google = await startGoogleDocs()
  ada = documentCallers({ google: { url: google.url, token: tokens.ada } })
})
afterEach(() => google.faults.clear())
afterAll(() => google.close())

const owner = 'ada@example.com'
const dataOf = ({ result }: Executed) => {
  expect(result).toMatchObject({ ok: true })
  // biome-ignore lint/suspicious/noExplicitAny: of many shapes, looked into by assertions only
  return (result as any).data
}
const errorOf = ({ result }: Executed): ToolError => {
  if (result.ok) throw new Error(`It succeeded: ${JSON.stringify(result.data)}`)
  return result
}

describe('a document at Google', () => {
  test('is made with its content, read, added to, changed, found and shared', async () => {
    const content = '# Trip\n\n* by **train**\n* by bus'
    const made = dataOf(await ada.call('docs_create_document', { title: 'Trip to Zürich', content }))
    expect(made).toEqual({
      document_id: expect.any(String),
      title: 'Trip to Zürich',
      url: expect.stringContaining('https://docs.google.com/document/d/'),
    })
    const { document_id } = made
    const read = dataOf(await ada.call('docs_read_document', { document_id }))
    expect(read).toEqual({ document_id, title: 'Trip to Zürich', content, revision: expect.any(String) })

    const table = '## Costs\n\n| what | CHF |\n|-|-|\n| train | 120 |'
    const added = dataOf(await ada.call('docs_append_text', { document_id, text: table }))
    expect(added).toEqual({ document_id, revision: expect.any(String) })
    expect(added.revision).not.toBe(read.revision)
    const changed = dataOf(
      await ada.call('docs_replace_text', { document_id, find: 'train', replace: 'night train' }),
    )
    expect(changed).toEqual({ document_id, revision: expect.any(String), replaced: 2 })
    expect(google.markdownOf(document_id)).toBe(
      '# Trip\n\n* by **night train**\n* by bus\n\n## Costs\n\n| **what** | **CHF** |\n| ---- | ---- |\n| night train | 120 |\n',
    )

    const found = dataOf(await ada.call('docs_search', { query: 'zürich' }))
    expect(found.documents).toEqual([
      { document_id, title: 'Trip to Zürich', modified: expect.any(String), url: made.url },
    ])
    const shared = dataOf(
      await ada.call('docs_share', { document_id, emails: ['grace@example.com'], role: 'reader' }),
    )
    expect(shared).toEqual({ results: [{ email: 'grace@example.com', ok: true }] })
    const grace = documentCallers({ google: { url: google.url, token: tokens.grace } })
    expect(dataOf(await grace.call('docs_read_document', { document_id })).revision).toBe('')
    const refused = errorOf(await grace.call('docs_append_text', { document_id, text: 'mine' }))
    expect(refused.error).toContain('You may read this document, but not write in it.')
  })

  test('is named by its address, too, as people paste it', async () => {
    const { id } = google.addDocument({ owner, markdown: 'here' })
    for (const path of [`document/d/${id}/edit?usp=sharing`, `document/u/0/d/${id}/edit#heading=h.1`]) {
      const { content } = dataOf(
        await ada.call('docs_read_document', { document_id: `https://docs.google.com/${path}` }),
      )
      expect(content).toBe('here')
    }
  })

  test('without content is empty, and is added to without an empty line before', async () => {
    const { document_id } = dataOf(await ada.call('docs_create_document', { title: 'Empty' }))
    expect(dataOf(await ada.call('docs_read_document', { document_id })).content).toBe('')
    await ada.call('docs_append_text', { document_id, text: 'first' })
    expect(
      google.files
        .find(({ id }) => id === document_id)
        ?.tabs[0]?.paper.units.map((unit) => unit.text)
        .join(''),
    ).toBe('first\n')
  })

  test('a search pages on to its end, and quotes are part of the words', async () => {
    const ids = ['a', 'b', 'c'].map((name) => google.addDocument({ owner, name, markdown: "don't panic" }).id)
    const found: string[] = []
    let page_token: string | undefined
    do {
      const page = dataOf(
        await ada.call('docs_search', {
          query: "don't",
          max_results: 2,
          ...(page_token ? { page_token } : {}),
        }),
      )
      found.push(...page.documents.map((document: { document_id: string }) => document.document_id))
      page_token = page.next_page_token
    } while (page_token)
    expect(found.sort()).toEqual(ids.sort())
  })

  test('a page of another search is a question about the page', async () => {
    const error = errorOf(await ada.call('docs_search', { query: 'x', page_token: 'google-docs:nonsense' }))
    expect(error).toMatchObject({ errorType: 'invalid_value', details: { parameter: 'page_token' } })
  })

  test('what the user has not made with this app is not there', async () => {
    const { id } = google.addDocument({ owner, markdown: 'private', madeByApp: false })
    for (const [name, args] of [
      ['docs_read_document', {}],
      ['docs_append_text', { text: 'x' }],
      ['docs_replace_text', { find: 'private', replace: 'x' }],
      ['docs_share', { emails: ['grace@example.com'], role: 'reader' }],
    ] as const) {
      const error = errorOf(await ada.call(name, { document_id: id, ...args }))
      expect(error).toMatchObject({
        errorType: 'not_found',
        details: { parameter: 'document_id', correction: { open: ['document_id'] } },
      })
      expect(error.error).toContain('only documents that were created here can')
    }
  })
})

describe('a change of somebody else in between', () => {
  const between = (id: string, markdown: string) => {
    let isFirst = true
    return documentCallers({
      google: { url: google.url, token: tokens.ada },
      beforeEffect() {
        if (isFirst) google.rewrite(id, markdown)
        isFirst = false
      },
    })
  }

  test('stays, and what is added comes after it', async () => {
    const { id } = google.addDocument({ owner, markdown: 'one' })
    dataOf(
      await between(id, 'one\n\nGrace was here').call('docs_append_text', { document_id: id, text: 'two' }),
    )
    expect(google.markdownOf(id)).toBe('one\n\nGrace was here\n\ntwo\n')
  })

  test('is replaced in, too, and what is gone is asked about', async () => {
    const { id } = google.addDocument({ owner, markdown: 'red' })
    const change = { document_id: id, find: 'red', replace: 'blue' }
    expect(dataOf(await between(id, 'red and red').call('docs_replace_text', change)).replaced).toBe(2)
    google.rewrite(id, 'red')
    const error = errorOf(await between(id, 'green').call('docs_replace_text', change))
    expect(error).toMatchObject({ errorType: 'invalid_value', details: { parameter: 'find' } })
    expect(google.markdownOf(id)).toBe('green\n')
  })

  test('that never ends is waited for, and nothing is written', async () => {
    const { id } = google.addDocument({ owner, markdown: 'a' })
    let edits = 0
    const callers = documentCallers({
      google: { url: google.url, token: tokens.ada },
      beforeEffect: () => google.rewrite(id, `edit ${++edits}`),
    })
    const { result, tries } = await callers.call('docs_append_text', { document_id: id, text: 'mine' })
    expect([result.ok, tries]).toEqual([false, 3])
    expect(result).toMatchObject({ errorType: 'unavailable', resolver: 'time' })
    expect(google.markdownOf(id)).toBe(`edit ${edits}\n`)
  })
})

describe('text that is to be replaced', () => {
  const replaceIn = async (markdown: string, find: string, replace = 'new') => {
    const { id } = google.addDocument({ owner, markdown })
    return { id, done: await ada.call('docs_replace_text', { document_id: id, find, replace }) }
  }

  test('but is not there is asked about', async () => {
    const { id, done } = await replaceIn('Hello world', 'Goodbye')
    expect(errorOf(done)).toMatchObject({
      errorType: 'invalid_value',
      resolver: 'model',
      details: { parameter: 'find', correction: { open: ['find'] } },
    })
    expect(errorOf(done).error).toMatch(/^Question: Which text should be replaced\? "Goodbye" is not in/)
    expect(google.markdownOf(id)).toBe('Hello world\n')
  })

  test('but that Google does not find is not said to be replaced', async () => {
    const { id } = google.addDocument({ owner, markdown: 'Hello world' })
    const body = { replies: [{}, { replaceAllText: {} }], writeControl: { requiredRevisionId: 'x' } }
    google.faults.plan(/^POST .*batchUpdate/, { answer: { status: 200, body, headers: {} } })
    const args = { document_id: id, find: 'Hello', replace: 'Goodbye' }
    expect(errorOf(await ada.call('docs_replace_text', args)).error).toContain(
      '"Hello" is not in the document',
    )
  })

  test('but is written otherwise is not guessed: the ways in which it stands there are told', async () => {
    const { done } = await replaceIn('The Plan. A PLAN, and the  plan.', 'the plan')
    expect(errorOf(done).error).toContain('but like this: "The Plan", "the  plan"')
  })

  test('was copied out of the Markdown, with its marks', async () => {
    const { id, done } = await replaceIn(
      'It is **very** [big](https://a.example).',
      'is **very** big',
      'was **quite** small',
    )
    expect(dataOf(done).replaced).toBe(1)
    expect(google.markdownOf(id)).toContain('It was')
    expect(google.markdownOf(id)).not.toContain('\\*')
  })

  test('stands there with marks of its own', async () => {
    const { id, done } = await replaceIn('costs 2 \\* 3', '2 * 3', '6')
    expect(dataOf(done).replaced).toBe(1)
    expect(google.markdownOf(id)).toBe('costs 6\n')
  })

  test('is removed by nothing in its place, wherever it stands', async () => {
    const { id, done } = await replaceIn('a x\n\n| x | b |\n|-|-|\n| c | x |', 'x', '')
    expect(dataOf(done).replaced).toBe(3)
    expect(google.markdownOf(id)).not.toContain('x')
  })

  test('may be the whole document', async () => {
    const { id, done } = await replaceIn('all', 'all', 'nothing')
    expect(dataOf(done).replaced).toBe(1)
    expect(google.markdownOf(id)).toBe('nothing\n')
  })
})

describe('sharing', () => {
  test('says of each person whether it worked', async () => {
    const { id } = google.addDocument({ owner })
    google.sharing.refused.set('nobody@example.com', googleOutages.invalidSharingRequest())
    const emails = ['grace@example.com', 'nobody@example.com', 'Grace@example.com', owner]
    const { results } = dataOf(await ada.call('docs_share', { document_id: id, emails, role: 'writer' }))
    expect(results).toEqual([
      { email: 'Grace@example.com', ok: true },
      { email: 'nobody@example.com', ok: false, error: expect.stringContaining('no Google account') },
      { email: owner, ok: true },
    ])
    expect(google.sharing.notified.filter(({ fileId }) => fileId === id)).toHaveLength(1)
  })

  test('with somebody who has less gives more, and with somebody who has it sends no second mail', async () => {
    const { id } = google.addDocument({ owner })
    const share = (role: string) =>
      ada.call('docs_share', { document_id: id, emails: ['grace@example.com'], role })
    await share('reader')
    await share('writer')
    await share('commenter')
    const file = google.files.find((one) => one.id === id)
    expect(file?.permissions.map(({ role }) => role)).toEqual(['owner', 'writer'])
    expect(google.sharing.notified.filter(({ fileId }) => fileId === id)).toHaveLength(2)
  })

  test('by somebody who may not is an error, not one for each person', async () => {
    const { id } = google.addDocument({ owner })
    google.faults.plan(/^POST .*permissions$/, { answer: googleOutages.insufficientFilePermissions() })
    const emails = ['grace@example.com', 'eve@example.com']
    const error = errorOf(await ada.call('docs_share', { document_id: id, emails, role: 'reader' }))
    expect(error.errorType).toBe('permission_denied')
  })

  test('reads permissions of every page', async () => {
    const { id, permissions } = google.addDocument({ owner })
    for (let index = 0; index < 250; index++) {
      permissions.push({
        id: `${index}`,
        type: 'user',
        role: 'reader',
        emailAddress: `p${index}@example.com`,
      })
    }
    await ada.call('docs_share', { document_id: id, emails: ['p249@example.com'], role: 'reader' })
    expect(google.sharing.notified.filter(({ fileId }) => fileId === id)).toEqual([])
  })
})

describe('what Google says when it cannot', () => {
  type Expected = [name: keyof typeof failures, errorType: string, resolver: string, sentence: RegExp]
  const failures = {
    ...googleOutages,
    unauthenticated,
    scopeInsufficient: () => scopeInsufficient('docs.googleapis.com'),
    fileNotFound: () => fileNotFound('1abc'),
    entityNotFound: () => docsError(404, 'Requested entity was not found.'),
    noPermission: () => docsError(403, 'The caller does not have permission'),
  }
  const expected: Expected[] = [
    ['unauthenticated', 'authentication_error', 'user', /sign-in with Google Docs has expired .* reconnect/],
    ['scopeInsufficient', 'authentication_error', 'user', /does not allow this yet.*reconnect Google Docs/],
    ['serviceDisabled', 'not_configured', 'nobody', /^Google Docs is not switched on for this server/],
    ['fileNotFound', 'not_found', 'model', /Which document did you mean/],
    ['entityNotFound', 'not_found', 'model', /Which document did you mean/],
    ['noPermission', 'permission_denied', 'user', /./],
    ['insufficientFilePermissions', 'permission_denied', 'user', /./],
    ['domainPolicy', 'permission_denied', 'user', /administrators have disabled/],
    ['rateLimitExceeded', 'rate_limit_exceeded', 'time', /./],
    ['userRateLimitExceeded', 'rate_limit_exceeded', 'time', /./],
    ['sharingRateLimitExceeded', 'rate_limit_exceeded', 'time', /./],
    ['tooManyRequests', 'rate_limit_exceeded', 'time', /./],
    ['dailyLimitExceeded', 'quota_exceeded', 'user', /./],
    ['storageQuotaExceeded', 'quota_exceeded', 'user', /storage/],
    ['internalError', 'unavailable', 'time', /./],
    ['backendError', 'unavailable', 'time', /./],
    ['unavailable', 'unavailable', 'time', /./],
  ]
  const calls = {
    docs_create_document: { title: 'x', content: 'y' },
    docs_read_document: {},
    docs_append_text: { text: 'x' },
    docs_replace_text: { find: 'here', replace: 'x' },
    docs_search: { query: 'x' },
    docs_share: { emails: ['grace@example.com'], role: 'reader' },
  }

  test.each(expected)('%s is %s, for the %s', async (failure, errorType, resolver, sentence) => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
    for (const [name, args] of Object.entries(calls)) {
      const { id } = google.addDocument({ owner, markdown: 'here' })
      const isOfDocument = name !== 'docs_create_document' && name !== 'docs_search'
      // The first request of a call meets it, and every other one after it.
      google.faults.plan(/^GET /, { answer: failures[failure]() }, 20)
      google.faults.plan(/^POST /, { answer: failures[failure]() }, 20)
      const { result, status } = await ada.call(name, {
        ...(isOfDocument ? { document_id: id } : {}),
        ...args,
      })
      google.faults.clear()
      const isCreateInDoubt = name === 'docs_create_document' && errorType === 'unavailable'
      if (isCreateInDoubt) {
        expect([status, result]).toMatchObject(['unknown', { errorType: 'outcome_unknown' }])
        continue
      }
      const isAbout = errorType === 'not_found' && !isOfDocument
      expect(result, name).toMatchObject(isAbout ? { ok: false } : { ok: false, errorType, resolver })
      if (!isAbout) expect(errorOf({ result } as Executed).error).toMatch(sentence)
      expect(errorOf({ result } as Executed).error).not.toMatch(/ya29|\b[45]\d\d\b|docs_|googleapis|project_/)
      expect(google.markdownOf(id)).toBe('here\n')
    }
    const switchedOff = logged.mock.calls.filter(([line]) => String(line).includes('google-api-switched-off'))
    expect(switchedOff.length > 0).toBe(failure === 'serviceDisabled')
    logged.mockRestore()
  })

  test('a document that cannot be looked at before it is written has not been written: it is tried again', async () => {
    const { id } = google.addDocument({ owner, markdown: 'a' })
    google.faults.plan(/^GET /, { answer: googleOutages.unavailable() })
    const { result, tries } = await ada.call('docs_append_text', { document_id: id, text: 'b' })
    expect([result.ok, tries]).toEqual([true, 2])
    expect(google.markdownOf(id)).toBe('a\n\nb\n')
  })

  test('a change that Google does not take at its own revision is our fault, and nobody is asked', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
    const { id } = google.addDocument({ owner, markdown: 'a' })
    google.faults.plan(/^POST .*batchUpdate/, {
      answer: docsError(400, 'Invalid requests[0].insertText: Index 9: "a "private" word".'),
    })
    const error = errorOf(await ada.call('docs_append_text', { document_id: id, text: 'b' }))
    expect(error).toMatchObject({ errorType: 'execution_error', resolver: 'nobody' })
    const lines = logged.mock.calls.flat().map((line) => JSON.parse(String(line)))
    expect(lines).toContainEqual({
      event: 'google-refused-change',
      at: 'requests[0].insertText',
    })
    logged.mockRestore()
  })

  test('what was granted is looked at before Google is asked', async () => {
    const scopes = ['openid', 'email']
    const callers = documentCallers({ google: { url: google.url, token: tokens.adaAddress, scopes } })
    const before = google.faults.calls.length
    for (const [name, args] of Object.entries(calls)) {
      const error = errorOf(await callers.call(name, { document_id: google.files[0]?.id, ...args }))
      expect(error).toMatchObject({
        errorType: 'authentication_error',
        details: { action: { label: 'Reconnect Google Docs' } },
      })
    }
    expect(google.faults.calls.length).toBe(before)
  })

  test('a token that was withdrawn before its time is renewed, once', async () => {
    const callers = documentCallers({ google: { url: google.url, token: 'ya29.old', renewed: tokens.ada } })
    const { document_id } = dataOf(await callers.call('docs_create_document', { title: 'x', content: 'a' }))
    dataOf(await callers.call('docs_append_text', { document_id, text: 'b' }))
    expect(google.markdownOf(document_id)).toBe('a\n\nb\n')
    const withdrawn = documentCallers({ google: { url: google.url, token: 'ya29.old', renewed: 'ya29.no' } })
    const error = errorOf(await withdrawn.call('docs_append_text', { document_id, text: 'c' }))
    expect(error).toMatchObject({ errorType: 'authentication_error', resolver: 'user' })
  })

  test.each(['<html>Welcome to nginx</html>', '', '"text"', '{"id":'])(
    'a page of something in between, %j, is no success',
    async (body) => {
      const { id } = google.addDocument({ owner, markdown: 'here' })
      const page = { answer: { status: 200, body, headers: {} } }
      google.faults.plan(/^GET .*documents/, page, 9)
      const read = errorOf(await ada.call('docs_read_document', { document_id: id }))
      expect(read).toMatchObject({ errorType: 'unavailable', resolver: 'time' })
      google.faults.clear()
      google.faults.plan(/^POST .*batchUpdate/, { ...page, done: true })
      const written = await ada.call('docs_append_text', { document_id: id, text: 'once' })
      expect(written.status).toBe('succeeded')
      expect(google.markdownOf(id)).toBe('here\n\nonce\n')
    },
  )

  test('what it refuses is not looked for', async () => {
    const before = google.faults.calls.length
    google.faults.plan(/^POST .*upload/, { answer: googleOutages.storageQuotaExceeded() })
    await ada.call('docs_create_document', { title: 'x', content: 'y' })
    expect(google.faults.calls.slice(before)).toEqual(['POST /upload/drive/v3/files'])
  })

  test('nobody is there', async () => {
    const callers = documentCallers({
      google: { url: `http://127.0.0.1:${await findFreePort(0)}`, token: tokens.ada },
    })
    const { result } = await callers.call('docs_create_document', { title: 'x' })
    expect(result).toMatchObject({ ok: false, errorType: 'unavailable', resolver: 'time' })
  })
})

test('without Google, a document of Google needs it connected, and so does sharing', async () => {
  const callers = documentCallers({})
  const document_id = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
  for (const [name, args] of [
    ['docs_read_document', {}],
    ['docs_share', { emails: ['grace@example.com'], role: 'reader' }],
  ] as const) {
    const error = errorOf(await callers.call(name, { document_id, ...args }))
    expect(error).toMatchObject({
      errorType: 'not_configured',
      resolver: 'user',
      details: { action: { label: 'Connect Google Docs' } },
    })
  }
})
