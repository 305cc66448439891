import { marked } from 'marked'
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
  '[![a](https://evil.example)](https://evil.example)',
]

describe('a picture in what a model writes', () => {
  test.each(pictures)('%j is plain text', (text) => {
    expect(marked.parse(withoutImages(text))).not.toMatch(/<img/i)
  })

  test.each(pictures)('%j is plain text, however it comes in pieces', (text) => {
    for (const size of [1, 2, 3]) {
      const filter = new ImageFilter()
      let out = ''
      for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size))
      expect(out + filter.flush()).toBe(withoutImages(text))
    }
  })

  test('anything else stays as it is', () => {
    const text = 'Hi! See [it](https://example.com) <b>now</b> <i>or</i> never!'
    const filter = new ImageFilter()
    expect(filter.push(text) + filter.flush()).toBe(text)
  })
})
