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
  '<input type="image" src="https://evil.example">',
  '<p style="background: url(https://evil.example)">Hi</p>',
  '<body background="https://evil.example">',
  '<script src="https://evil.example"></script>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example">',
  '<x-tag\nstyle="background:url(https://evil.example)">',
  '<!-- --><input type="image" src="https://evil.example">',
  '~~~\n```html\n~~~\n<input type="image" src="https://evil.example">',
  '  ```\n```\n<input type="image" src="https://evil.example">',
  '```html\n  ```\n<input type="image" src="https://evil.example">',
  '> ```\n\n```\n```\n<input type="image" src="https://evil.example">',
  '```html\n```\n<input type="image" src="https://evil.example">',
]
const loads =
  /<(?:img|image|video|audio|iframe|style|svg|input type="image|p style|body|script|meta|x-tag|b\b|!--)/i

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
      '<input type="image" src=x>',
      '<b style="background:url(x)">',
      '</b>',
      '```html',
      '```\n',
      '~~~',
      '$$',
      '\r',
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
    const text = 'Hi! See [it](https://example.com), 1 < 2 <3 or never!\n\n[1]: https://example.com <'
    expect(withoutImages(text)).toBe(text)
    expect(inPieces(text, 1)).toBe(text)
  })

  test('a tag in text is shown, not lost', () => {
    const html = marked.parse(withoutImages('Write `<br>` or <b>this</b>.'))
    expect(html).toBe('<p>Write <code>&lt; br&gt;</code> or &lt; b&gt;this&lt; /b&gt;.</p>\n')
  })

  test('blocks of code stay as they are, but for tags that load something', () => {
    const code = [
      'For example:',
      '',
      '```tsx',
      'const list = useState<Item[]>([])',
      'return <main class="a"><!-- all --><b>{list}</b></main>',
      '```',
      'and',
      '```',
      'cat <file >other; echo $$ \\[ok\\]',
      '```',
      'Done.',
    ].join('\n')
    expect(withoutImages(code)).toBe(code)
    for (const size of [1, 2, 3]) expect(inPieces(code, size)).toBe(code)
    expect(withoutImages('```html\n<b><img src="x"></b>\n```')).toBe('```html\n<b>< img src="x"></b>\n```')
  })

  test('what is no tag is not waited for', () => {
    const filter = new ImageFilter()
    expect(filter.push('One line')).toBe('One line')
    expect(filter.push('\n  ')).toBe('\n  ')
    expect(filter.push('1 < 2')).toBe('1 < 2')
    expect(filter.push('```')).toBe('```')
  })

  test('code that looks like one still means the same', () => {
    const code = '```rust\nlet list = vec![1, 2];\n```\n```js\nif (![1, 2].includes(x)) calls[0](x)\n```'
    // One blank more is allowed at these places; a mark that escapes would not be.
    expect(withoutImages(code)).toBe(code.replaceAll('![', '! [').replace('](', '] ('))
  })
})
