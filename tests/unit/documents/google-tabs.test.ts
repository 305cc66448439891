import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileTab } from '../../../local/simulator/docs/drive-file.ts'
import { importText } from '../../../local/simulator/docs/import-markdown.ts'
import type { Unit } from '../../../local/simulator/docs/paper.ts'
import type { Seen } from '../../../shared/engine/core/seen.ts'
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

/** A tab; its id is `t.` and the number. */
const tab = (number: number, title: string, markdown: string, parent?: number): FileTab => ({
  id: `t.${number}`,
  title,
  ...(parent === undefined ? {} : { parentId: `t.${parent}` }),
  paper: importText('text/markdown', markdown),
})
const plan = (...tabs: FileTab[]) => google.addDocument({ owner, name: 'Plan', tabs }).id
const threeTabs = () =>
  plan(
    tab(0, 'Notes', 'Minutes of Monday 🚢.'),
    tab(1, 'Budget', 'The budget is 100 EUR.'),
    tab(2, '2027', '| what | EUR |\n|-|-|\n| rent | 40 |', 1),
  )
const read = async (document_id: string, more: object = {}) =>
  dataOf(await ada.call('docs_read_document', { document_id, ...more }))
const textsOf = (id: string) =>
  google.files
    .find((file) => file.id === id)
    ?.tabs.map(({ paper }) => paper.units.map(({ text }) => text).join(''))

describe('a document with tabs', () => {
  test('is read with all of them, each named, also those below others, and one alone if it is asked for', async () => {
    const id = threeTabs()
    expect(await read(id)).toMatchObject({
      tabs: ['Notes', 'Budget', '2027'],
      content: [
        '<!-- Tab: Notes -->',
        'Minutes of Monday 🚢.',
        '<!-- Tab: Budget -->',
        'The budget is 100 EUR.',
        '<!-- Tab: 2027 -->',
        '| **what** | **EUR** |\n| ---- | ---- |\n| rent | 40 |',
      ].join('\n\n'),
    })
    for (const named of ['Budget', 'budget ', 't.1'])
      expect(await read(id, { tab: named })).toMatchObject({
        tab: 'Budget',
        content: 'The budget is 100 EUR.',
      })
  })

  test('has text replaced where it stands, in whichever tab, and only there', async () => {
    const id = threeTabs()
    const replace = async (find: string, replace: string) =>
      dataOf(await ada.call('docs_replace_text', { document_id: id, find, replace }))
    expect(await replace('100 EUR', '120 EUR')).toMatchObject({ tab: 'Budget', replaced: 1 })
    expect(await replace('rent', 'rent 🏠')).toMatchObject({ tab: '2027', replaced: 1 })
    expect(await replace('🚢.', '⛵.')).toMatchObject({ tab: 'Notes', replaced: 1 })
    expect(textsOf(id)).toEqual([
      'Minutes of Monday ⛵.\n',
      'The budget is 120 EUR.\n',
      expect.stringContaining('rent 🏠\n40'),
    ])
  })

  test('with the same text in two of them is asked about, and both are named', async () => {
    const id = plan(tab(0, 'May', 'Total: 10'), tab(1, 'June', 'Total: 10'), tab(2, 'July', 'nothing'))
    const call = { document_id: id, find: 'Total: 10', replace: 'Total: 12' }
    const error = errorOf(await ada.call('docs_replace_text', call))
    expect(error).toMatchObject({
      errorType: 'conflict',
      resolver: 'model',
      details: {
        parameter: 'tab',
        allowed: ['May', 'June'],
        correction: { arguments: { document_id: id, find: 'Total: 10' }, open: ['tab'] },
        asked: { code: 'tab_unclear', values: { find: 'Total: 10', tabs: ['May', 'June'] } },
      },
    })
    expect(error.error).toBe(
      'Question: In which tab should it be replaced? "Total: 10" is in several: "May", "June". Please name one in tab, or replace it in one after the other.',
    )
    expect(textsOf(id)).toEqual(['Total: 10\n', 'Total: 10\n', 'nothing\n'])
    expect(dataOf(await ada.call('docs_replace_text', { ...call, tab: 'June' })).replaced).toBe(1)
    expect(textsOf(id)).toEqual(['Total: 10\n', 'Total: 12\n', 'nothing\n'])
    const elsewhere = errorOf(await ada.call('docs_replace_text', { ...call, tab: 'July' }))
    expect(elsewhere.error).toContain('"Total: 10" is not in this tab')
  })

  test('is added to where the text that was read ends, or in the tab that is asked for', async () => {
    const id = threeTabs()
    const append = async (text: string, more: object = {}) =>
      dataOf(await ada.call('docs_append_text', { document_id: id, text, ...more }))
    expect(await append('The **end** 🏁.\n\n* one\n* two')).toMatchObject({ tab: '2027' })
    expect(await append('* More 🚢', { tab: 'Notes' })).toMatchObject({ tab: 'Notes' })
    const { content } = await read(id)
    expect(content.endsWith('The **end** 🏁.\n\n* one\n* two')).toBe(true)
    expect(content).toContain('Minutes of Monday 🚢.\n\n* More 🚢\n\n<!-- Tab: Budget -->\n\nThe budget')
  })

  test('that has no such tab, or two, says which it has', async () => {
    const id = plan(tab(0, 'Notes', 'a'), tab(1, 'Notes', 'b'), tab(2, 'Other', 'c'))
    const none = errorOf(await ada.call('docs_read_document', { document_id: id, tab: 'Budget' }))
    expect(none).toMatchObject({ details: { parameter: 'tab', asked: { code: 'tab_not_found' } } })
    expect(none.error).toContain('There is no tab "Budget", but "Notes (t.0)", "Notes (t.1)", "Other".')
    const two = errorOf(await ada.call('docs_append_text', { document_id: id, text: 'x', tab: 'Notes' }))
    expect(two).toMatchObject({ errorType: 'conflict', details: { allowed: ['Notes (t.0)', 'Notes (t.1)'] } })
    dataOf(await ada.call('docs_append_text', { document_id: id, text: 'x', tab: 'Notes (t.1)' }))
    expect(textsOf(id)).toEqual(['a\n', 'b\nx\n', 'c\n'])
  })

  test('cannot pass text off as a tab, and markup in its text is no markup', async () => {
    const text = [
      '<!-- Tab: Notes -->',
      '# no heading',
      '1. no item',
      'a * b * c, snake_case and _so_',
      '`x`',
    ]
    const { content } = await read(
      plan(
        tab(0, 'A -->\n\n<!-- Tab: B', text.map((line) => line.replace(/[<#*`_.]/g, '\\$&')).join('\n\n')),
        tab(1, 'B', 'b'),
      ),
    )
    expect(content.match(/^<!-- Tab: .*-->$/gm)).toEqual([
      '<!-- Tab: A --> <!-- Tab: B -->',
      '<!-- Tab: B -->',
    ])
    for (const line of ['\\<!--', '\\# no heading', '1\\. no item', 'a \\* b \\* c, snake_case and \\_so\\_'])
      expect(content).toContain(line)
  })
})

describe('what a yes relied on, in a document with tabs', () => {
  const look = async (name: string, args: object) => {
    const looked = await ada.look(name, args as Record<string, unknown>)
    if (!looked) throw new Error('Nothing was seen.')
    return looked
  }
  const changedSince = (name: string, before: Seen) => {
    const seen: unknown[] = []
    const callers = documentCallers({
      google: { url: google.url, token: tokens.ada },
      requireUnchanged: (now) => seen.push(...ada.compare(name, before, now)),
    })
    return { seen, callers }
  }

  test('is the tab, which a call that names none has from then on', async () => {
    const id = threeTabs()
    const append = { document_id: id, text: 'x' }
    expect((await look('docs_append_text', append)).fixed).toEqual({ tab: '2027' })
    const replace = { document_id: id, find: '100', replace: '120' }
    expect((await look('docs_replace_text', replace)).fixed).toEqual({ tab: 'Budget' })
    const single = google.addDocument({ owner, markdown: '100' }).id
    expect((await look('docs_append_text', { ...append, document_id: single })).fixed).toBeUndefined()
  })

  test('has changed if the text would be added to another tab', async () => {
    const { id, ...file } = google.addDocument({ owner, markdown: 'one' })
    const args = { document_id: id, text: 'x' }
    const { seen: before } = await look('docs_append_text', args)
    google.files.find((one) => one.id === id)?.tabs.push(tab(1, 'New', 'two'))
    const { seen, callers } = changedSince('docs_append_text', before)
    await callers.call('docs_append_text', args)
    expect(file.tabs).toHaveLength(2)
    expect(seen).toEqual([{ what: 'tab', before: 'Tab 1', now: 'New' }])
  })

  test('has not changed if the same text comes up in another tab', async () => {
    const id = threeTabs()
    const args = { document_id: id, find: '100 EUR', replace: '120 EUR' }
    const { seen: before, fixed } = await look('docs_replace_text', args)
    google.rewrite(id, 'Now 100 EUR here, too')
    const { seen, callers } = changedSince('docs_replace_text', before)
    dataOf(await callers.call('docs_replace_text', { ...args, ...fixed }))
    expect(seen).toEqual([])
    expect(textsOf(id)?.[0]).toBe('Now 100 EUR here, too\n')
  })

  test('of one that is shared is the text of all tabs', async () => {
    const id = plan(tab(0, 'A', 'first'), tab(1, 'B', 'one\n\ntwo\n\nthree\n\nfour'))
    const args = { document_id: id, emails: ['grace@example.com'], role: 'reader' }
    const { seen: before } = await look('docs_share', args)
    const file = google.files.find((one) => one.id === id)
    if (file) file.tabs[1] = tab(1, 'C', 'salaries\n\nof\n\nall\n\npeople')
    const { seen, callers } = changedSince('docs_share', before)
    await callers.call('docs_share', args)
    expect(seen).toEqual([{ what: 'paragraphs', before: 7, now: 2 }])
  })
})

describe('what stands in a document', () => {
  const unitsOf = (text: string, more: Partial<Unit> = {}): Unit[] =>
    text.split('').map((one) => ({ text: one, ...more }))
  const chip = (element: NonNullable<Unit['element']>): Unit => ({ text: '', element })
  const made = (...units: Unit[]) => {
    const only = tab(0, 'Tab 1', '')
    only.paper.units.unshift(...units)
    return plan(only)
  }

  test('as a smart chip is read in its words, and is told from text that can be replaced', async () => {
    const id = made(
      ...unitsOf('Ask '),
      chip({ person: { personProperties: { name: 'Grace Hopper', email: 'grace@example.com' } } }),
      ...unitsOf(' by '),
      chip({ dateElement: { dateElementProperties: { displayText: 'Mar 1, 2027' } } }),
      ...unitsOf(', see '),
      chip({ richLink: { richLinkProperties: { title: 'Rates', uri: 'https://docs.google.com/x' } } }),
      ...unitsOf(' and '),
      chip({ person: { personProperties: { email: 'ada@example.com' } } }),
      ...unitsOf(' 🚢.'),
    )
    expect((await read(id)).content).toBe(
      'Ask [Grace Hopper](mailto:grace@example.com) by Mar 1, 2027, see [Rates](https://docs.google.com/x) and ada@example.com 🚢.',
    )
    for (const find of ['Mar 1, 2027', 'by Mar', 'Grace Hopper']) {
      const error = errorOf(await ada.call('docs_replace_text', { document_id: id, find, replace: 'x' }))
      expect(error).toMatchObject({ details: { parameter: 'find', asked: { code: 'text_in_chip' } } })
    }
    dataOf(await ada.call('docs_append_text', { document_id: id, text: 'Last.' }))
    expect((await read(id)).content).toMatch(/🚢\.\n\nLast\.$/)
  })

  test('as a suggestion is marked, and can be replaced; who may only read sees what is in force', async () => {
    const id = made(
      ...unitsOf('The budget is '),
      ...unitsOf('100', { suggested: 'removed' }),
      ...unitsOf('120', { suggested: 'added' }),
      ...unitsOf(' EUR.'),
    )
    expect(await read(id)).toMatchObject({
      content: 'The budget is {--100--}{++120++} EUR.',
      note: expect.stringContaining('Somebody suggests changes'),
    })
    dataOf(await ada.call('docs_share', { document_id: id, emails: ['grace@example.com'], role: 'reader' }))
    const grace = documentCallers({ google: { url: google.url, token: tokens.grace } })
    const seen = dataOf(await grace.call('docs_read_document', { document_id: id }))
    expect(seen.content).toBe('The budget is 100 EUR.')
    expect(seen.note).toBeUndefined()
    const change = { document_id: id, find: '{--100--}{++120++} EUR', replace: '130 EUR' }
    expect(dataOf(await ada.call('docs_replace_text', change)).replaced).toBe(1)
    expect(textsOf(id)).toEqual(['The budget is 130 EUR.\n'])
  })

  test('beside text is named: pictures, equations, footnotes', async () => {
    const only = tab(0, 'Tab 1', '')
    only.paper.units.unshift(
      ...unitsOf('See '),
      chip({ inlineObjectElement: { inlineObjectId: 'kix.1' } }),
      ...unitsOf(' and '),
      chip({ equation: {} }),
      ...unitsOf('.'),
    )
    expect((await read(plan(only))).content).toBe('See [picture] and [equation].')
  })

  test.each([
    ['headings and emphasis', '# One\n\nSome **bold**, *italic*, ~~struck~~ and `code`.'],
    ['a link', 'See [the plan](https://example.com/a?b=c) at https://example.com/x_y.'],
    ['lists', '* one\n* two\n  * deeper\n\nand\n\n1. a\n2. b\n   1. c\n3. d'],
    [
      'a table between paragraphs',
      'Costs:\n\n| **what** | **EUR** |\n| ---- | ---- |\n| rent \\| tax | **40** |\n\nDone.',
    ],
    ['a rule', 'above\n\n---\n\nbelow'],
  ])('is read as it was written: %s', async (_, content) => {
    const { document_id } = dataOf(await ada.call('docs_create_document', { title: 'x', content }))
    expect((await read(document_id)).content).toBe(content)
  })
})

test.each([
  '~100 or ~200 EUR',
  'R&amp;D, R&D and a < b > c',
  'see https://example.com/a_b*c?d=[e] and snake_case, _so_, *so*',
  '# 1',
  '1. May',
  '-',
  'C:\\new\\*.txt `x` [y](z) [^1]',
  '| a | b |',
  '🚢 **2** \\* 3 ~~4~~',
])('a paragraph can be replaced by the words in which it was read: %j', async (text) => {
  const id = plan({ id: 't.0', title: 'A', paper: importText('text/plain', text) }, tab(1, 'B', 'other'))
  const { content } = await read(id, { tab: 'A' })
  const args = { document_id: id, find: content, replace: 'new' }
  expect(dataOf(await ada.call('docs_replace_text', args))).toMatchObject({ tab: 'A', replaced: 1 })
  expect(textsOf(id)).toEqual(['new\n', 'other\n'])
})

test('a tab of a document that is kept here does not exist', async () => {
  const id = crypto.randomUUID()
  const error = errorOf(await ada.call('docs_append_text', { document_id: id, text: 'x', tab: 'Budget' }))
  expect(error).toMatchObject({ details: { parameter: 'tab', asked: { code: 'tab_not_found' } } })
  expect(error.error).toContain('This document has no tabs')
})
