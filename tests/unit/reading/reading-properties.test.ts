import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArguments } from '../../../shared/engine/reading/read-arguments.ts'
import { style, toolArguments, write } from './decorated-text.ts'

test('valid arguments are read unchanged', () => {
  fc.assert(
    fc.property(toolArguments, fc.constantFrom(undefined, 2), (value, indent) => {
      expect(readArguments(JSON.stringify(value, null, indent))).toEqual({ ok: true, value, repairs: [] })
    }),
    { numRuns: 500 },
  )
})

test('every proper beginning of valid arguments is refused as cut, and keeps only what was there', () => {
  fc.assert(
    fc.property(
      toolArguments,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (value, part) => {
        const whole = JSON.stringify(value)
        const beginning = whole.slice(0, Math.floor(part * whole.length))
        const reading = readArguments(beginning)
        expect(reading).toMatchObject({ ok: false, reason: beginning.trim() === '' ? 'blank' : 'cut' })
        if (!reading.ok && reading.partial) expect(isPartOf(reading.partial.value, value)).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('arguments in any lossless decoration are read to the same arguments', () => {
  fc.assert(
    fc.property(toolArguments, style, (value, written) => {
      const reading = readArguments(written.wrapping(write(value, written)))
      expect(reading).toMatchObject({ ok: true, value })
      if (reading.ok) expect(reading.value).toEqual(value)
    }),
    { numRuns: 2000 },
  )
})

test('a beginning of decorated arguments is never read as anything else', () => {
  fc.assert(
    fc.property(
      toolArguments,
      style,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (value, written, part) => {
        const whole = written.wrapping(write(value, written))
        const reading = readArguments(whole.slice(0, Math.floor(part * whole.length)))
        if (reading.ok) expect(reading.value).toEqual(value)
      },
    ),
    { numRuns: 2000 },
  )
})

test('no text at all makes it throw or pollutes an object', () => {
  const syntax = fc.constantFrom(
    ...'{}[]"\'`,:\\/#*=() \n',
    '__proto__',
    'constructor',
    'prototype',
    'True',
    '1',
    '<',
    '“',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(syntax, fc.string({ maxLength: 2 })), { maxLength: 40 }), (parts) => {
      const reading = readArguments(parts.join(''))
      expect(typeof reading.ok).toBe('boolean')
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
    { numRuns: 5000 },
  )
})

/** Whether every member of `part` is in `whole`, equal or (objects) itself a part. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    return JSON.stringify(part) === JSON.stringify(whole)
  }
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(([key, member]) =>
    isPartOf(member, (whole as Record<string, unknown>)[key]),
  )
}
