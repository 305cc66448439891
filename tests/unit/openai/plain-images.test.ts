import fc from 'fast-check'
import { marked } from 'marked'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import { describe, expect, test } from 'vitest'
import { ImageFilter, withoutImages } from '../../../supabase/functions/chat/openai/plain-images.ts'

const pictures = [
  '![a](https://evil.example/?q=1)',
  '![a [b] c](<https://evil.example>)',
  '![a][r]\n\n[r]: https://evil.example',
  '![r]\n\n[r]: https://evil.example',
  '!![a](https://evil.example)',
  '`![a](https://evil.example)',
  '<!--\n```\n-->\n![a](https://evil.example)',
  '- one\n  ```\n![a](https://evil.example)',
  '<img src="https://evil.example">',
  'Text <IMG\nsrc=https://evil.example>',
  'Text \\<img src="https://evil.example">',
  '[![a](https://evil.example)](https://evil.example)',
  '<video src="https://evil.example"></video>',
  '<svg><image href="https://evil.example"/></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<style>@import "https://evil.example"</style>',
]
const loads = /<(?:img|image|video|audio|iframe|style|svg)/i

function inPieces(text: string, size: number): string {
  const filter = new ImageFilter()
  let out = ''
  for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size))
  return out + filter.flush()
}

describe('a picture in what a model writes', () => {
  test.each(pictures)('%j is plain text', (text) => {
    expect(marked.parse(withoutImages(text))).not.toMatch(loads)
  })

  test.each(pictures)('%j is plain text, however it comes in pieces', (text) => {
    for (const size of [1, 2, 3]) expect(inPieces(text, size)).toBe(withoutImages(text))
  })

  test('is plain text whatever stands around it, for those who read Markdown in one way or another', () => {
    const tokens = [
      '![',
      '!',
      '[',
      ']',
      '(',
      ')',
      ']:',
      '\\',
      '`',
      '```',
      '\n',
      '\n\n',
      '    ',
      '> ',
      '- ',
      ' ',
      'a',
    ]
    const longer = [
      'https://e.example',
      '[a]: https://e.example',
      '![a](https://e.example)',
      '<',
      'img src=x>',
      '<!--',
    ]
    const text = fc.array(fc.constantFrom(...tokens, ...longer), { maxLength: 24 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (written, size) => {
        const plain = withoutImages(written)
        expect(marked.parse(plain)).not.toMatch(loads)
        expect(renderToStaticMarkup(createElement(Markdown, null, plain))).not.toMatch(loads)
        expect(inPieces(written, size)).toBe(plain)
      }),
      { numRuns: 500 },
    )
  })

  test('is no link either, where it is written in one piece', () => {
    const html = marked.parse(
      withoutImages('Look: ![it](https://evil.example/?q=1) and [a page](https://b.example)'),
    )
    expect(html).toContain('! [it] (')
    expect(html).toContain('<a href="https://b.example">a page</a>')
  })

  test('anything else stays as it is', () => {
    const text = 'Hi! See [it](https://example.com) <b>now</b> <i>or</i> never!\n\n[1]: https://example.com'
    expect(withoutImages(text)).toBe(text)
    expect(inPieces(text, 1)).toBe(text)
  })

  test('code that looks like one still means the same', () => {
    const code = '```rust\nlet list = vec![1, 2];\n```\n```js\nif (![1, 2].includes(x)) calls[0](x)\n```'
    // One blank more is allowed at these places; a mark that escapes would not be.
    expect(withoutImages(code)).toBe(code.replaceAll('![', '! [').replace('](', '] ('))
  })
})
