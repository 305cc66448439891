import { expect, test } from 'vitest'
import { isHeavy } from '../../../client/react/chat/slow-markdown.ts'

test.each([
  ['a long line', 'a'.repeat(1_000_000)],
  ['quotes in quotes', `${'>'.repeat(10_000)} x`],
  ['quotes with blanks', `${'> '.repeat(10_000)} x`],
  ['lists in one line', `${'- '.repeat(5000)} x`],
  ['lists in lists', Array.from({ length: 300 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')],
  ['open links', '[a]('.repeat(10_000)],
  ['a wide table', `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}`],
])('%s is too heavy for Markdown', (_, text) => expect(isHeavy(text)).toBe(true))

test.each([
  [
    'an answer',
    '# Title\n\n> - one\n>   - two\n\n[a](https://example.com)\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  ],
  ['code', `\`\`\`\n${' '.repeat(40)}x = [1](2)\n\`\`\``],
  ['a long list', Array.from({ length: 2000 }, (_, item) => `- item ${item}`).join('\n')],
  ['rules', '- - -\n\n* * * * * * * *\n\n----------'],
])('%s is Markdown', (_, text) => expect(isHeavy(text)).toBe(false))
