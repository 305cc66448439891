import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { shortenOutput } from '../../../shared/engine/tools/shorten-output.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

describe('shortenOutput', () => {
  test.each([undefined, null, 5, 'a text', { a: [1, 2] }])('what fits is as it was: %j', (data) => {
    expect(shortenOutput(data)).toEqual({ data })
  })

  test('32 KiB fit by default, one byte more does not', () => {
    expect(shortenOutput('x'.repeat(32_766)).note).toBeUndefined()
    expect(shortenOutput('x'.repeat(32_767)).note).toContain('from 32769 to 32768 bytes')
  })

  test('a list keeps its first items and says how many are missing', () => {
    const list = Array.from({ length: 100 }, (_, id) => ({ id, title: 'a title' }))
    const { data, note } = shortenOutput(list, 300)
    expect(data).toEqual(list.slice(0, (data as unknown[]).length))
    expect((data as unknown[]).length).toBeGreaterThan(5)
    expect(note).toMatch(/: [89]\d of 100 items are left out\.$/)
  })

  test('a list inside an object leaves the other members whole', () => {
    const output = { next_page: 'p2', results: Array.from({ length: 50 }, () => 'one result'), total: 50 }
    const { data, note } = shortenOutput(output, 200)
    expect(data).toMatchObject({ next_page: 'p2', total: 50 })
    expect(Object.keys(data as object)).toEqual(['next_page', 'results', 'total'])
    expect(note).toContain('of 50 items of results are left out')
  })

  test('a text is cut at a character, never inside one', () => {
    for (let bytes = 8; bytes < 40; bytes++) {
      const { data } = shortenOutput('👩‍🚀é漢"\n'.repeat(20), bytes)
      expect(bytesOf(data)).toBeLessThanOrEqual(bytes)
      expect(data).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    }
  })

  test('the way to the rest is what the parameters of the tool allow, and no write is called again', () => {
    const text = 'x'.repeat(100)
    const noteOf = (tool: Pick<ToolSpecification, 'effect' | 'parameters'>) =>
      shortenOutput(text, 50, { tool, args: {} }).note
    const properties = { query: {}, max_results: {} }
    expect(noteOf({ effect: 'read', parameters: { properties } })).toMatch(
      /left out\. To get the rest, call the tool again for less at once, as far as its parameters allow: query, max_results\.$/,
    )
    expect(noteOf({ effect: 'read', parameters: {} })).toMatch(
      /There is no way to the rest: this tool has no parameters\.$/,
    )
    expect(noteOf({ effect: 'write', parameters: { properties } })).toMatch(/left out\.$/)
  })

  test('a tool that reads on is read to the end by its notes, without a mark or half a character', () => {
    const readsOn = { parameter: 'from', text: 'part.content' }
    const tool = { effect: 'read' as const, parameters: {}, readsOn }
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'ü', '漢', '🚢', '"', '\n', '…'),
          maxLength: 400,
          size: 'max',
        }),
        fc.integer({ min: 64, max: 300 }),
        (text, maxBytes) => {
          let from = 0
          let read = ''
          for (;;) {
            const content = [...text].slice(from).join('')
            const data = { id: 'd', part: { content } }
            const shortened = shortenOutput(data, maxBytes, { tool, args: { from } })
            const shown = (shortened.data as typeof data).part.content
            expect(shown).toBe(content.slice(0, shown.length))
            read += shown
            if (shortened.note === undefined) break
            const total = [...text].length
            const begun = from === 0 ? '' : `From ${from} on, `
            const next = from + [...shown].length
            expect(next).toBeGreaterThan(from)
            expect(shortened.note).toBe(
              `${begun}${next - from} of ${total} characters shown; call again with from: ${next} for more.`,
            )
            from = next
          }
          expect(read).toBe(text)
        },
      ),
    )
  })

  test('an output that is itself the text is read on alike; other cuts beside it are said too', () => {
    const text = { effect: 'read' as const, parameters: {}, readsOn: { parameter: 'offset', text: '' } }
    expect(shortenOutput('x'.repeat(100), 50, { tool: text, args: { offset: 7 } })).toEqual({
      data: 'x'.repeat(45),
      note: 'From 7 on, 45 of 107 characters shown; call again with offset: 52 for more.',
    })
    const tool = { ...text, readsOn: { parameter: 'from', text: 'content' } }
    const output = { content: 'x'.repeat(500), tags: 'y'.repeat(500) }
    const { data, note } = shortenOutput(output, 300, { tool, args: {} })
    const shown = (data as typeof output).content.length
    expect(note).toMatch(
      /^This output was shortened from \d+ to 300 bytes: \d+ characters of tags are left out\. /,
    )
    expect(note).toContain(` ${shown} of 500 characters shown; call again with from: ${shown} for more.`)
  })

  test('a part ends after white space if there is any near, and beyond it nothing is lost', () => {
    const tool = { effect: 'read' as const, parameters: {}, readsOn: { parameter: 'from', text: '' } }
    const read = (text: string) => shortenOutput(text, 30, { tool, args: {} })
    expect(read('pay 12,345.67 EUR to ada@example.com now')).toEqual({
      data: 'pay 12,345.67 EUR to ',
      note: '21 of 40 characters shown; call again with from: 21 for more.',
    })
    expect(read(`a ${'x'.repeat(50)}`).data).toBe('a ')
    expect(read('漢'.repeat(20)).data).toBe('漢'.repeat(8))
  })

  test('one huge item is shortened itself', () => {
    const { data, note } = shortenOutput({ messages: [{ id: 'm-1', body: 'x'.repeat(5000) }] }, 500)
    expect(data).toMatchObject({ messages: [{ id: 'm-1', body: expect.stringMatching(/^x{300,}…$/) }] })
    expect(note).toMatch(/characters of messages\[0\]\.body are left out/)
  })

  test('any JSON fits afterwards, is of the same kind, and says so', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 64, max: 400 }), (data, maxBytes) => {
        const shortened = shortenOutput(data, maxBytes)
        expect(bytesOf(shortened.data)).toBeLessThanOrEqual(maxBytes)
        expect(shortened.note === undefined).toBe(bytesOf(data) <= maxBytes)
        expect(Array.isArray(shortened.data)).toBe(Array.isArray(data))
        expect(typeof shortened.data).toBe(typeof data)
      }),
      { numRuns: 500 },
    )
  })
})
