import { expect, test } from 'vitest'
import { jsonWithPictures } from '../../../shared/engine/models/protocol/json-with-pictures.ts'

const picture = `data:image/png;base64,${'iVBORw0KGgo+/A=='.repeat(5000)}`

test('a request with pictures is the same JSON, in ASCII, however its words are written', () => {
  const body = {
    messages: [
      { role: 'system', content: 'Answer in \u65e5\u672c\u8a9e, \ud83d\ude42 and "quotes" \\ too.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: picture } },
          { type: 'text', text: 'Und das\u2028hier?' },
          { type: 'image_url', image_url: { url: `${picture}AA` } },
          { type: 'image_url', image_url: { url: `data:image/svg+xml,${'<svg a="b"/>'.repeat(9000)}` } },
        ],
      },
    ],
    left: undefined,
    tools: [{ 'na\u00efve': '\u2019' }],
  }
  const json = jsonWithPictures(body)
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(body)))
  expect(/^[\0-\x7f]*$/.test(json)).toBe(true)
})
