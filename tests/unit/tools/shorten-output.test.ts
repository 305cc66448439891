import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
    expect(note).toMatch(/: [89]\d of 100 items are left out\. To get the rest, call the tool again/)
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
