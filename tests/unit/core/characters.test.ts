import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters, sliceCharacters } from '../../../shared/engine/core/characters.ts'

const texts = fc.string({ unit: 'binary', maxLength: 30, size: 'max' })

test('characters are counted and cut as code points', () => {
  fc.assert(
    fc.property(texts, fc.nat(40), fc.nat(40), (text, from, length) => {
      const points = [...text]
      expect(countCharacters(text)).toBe(points.length)
      expect(sliceCharacters(text, from)).toBe(points.slice(from).join(''))
      expect(sliceCharacters(text, from, from + length)).toBe(points.slice(from, from + length).join(''))
    }),
  )
})
