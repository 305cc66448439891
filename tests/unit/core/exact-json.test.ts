import { describe, expect, it } from 'vitest'
import { isLongNumber, keepsDigits, parseExactJson } from '../../../shared/engine/core/exact-json.ts'

describe('parseExactJson', () => {
  it('reads a number that a double would change as the text of its digits', () => {
    const text =
      '{"id": 1161380288898609915, "ids":[-1161380288898609914 , 1161380288898609916\n], "sum": 12345678901234.56789, "far": 1e400, "near": 1e-400}'
    expect(parseExactJson(text)).toEqual({
      id: '1161380288898609915',
      ids: ['-1161380288898609914', '1161380288898609916'],
      sum: '12345678901234.56789',
      far: '1e400',
      near: '1e-400',
    })
    expect(parseExactJson('1161380288898609915')).toBe('1161380288898609915')
  })

  it('reads any other number as a number, however it is written', () => {
    const exact = [0.1, 0.30000000000000004, 9007199254740991, 1e21, -1.5e-7, 5e-324, 1.7976931348623157e308]
    expect(parseExactJson(JSON.stringify(exact))).toEqual(exact)
    expect(parseExactJson('[1.50000000000000000, 1e+2, 1000000000000000000000, -0.0, 0e999]')).toEqual([
      1.5, 100, 1e21, -0, 0,
    ])
  })

  it('leaves digits in texts and names alone', () => {
    const value = { '1161380288898609915': 'a "1161380288898609915", [1161380288898609915]\\', b: ['\\"', 1] }
    expect(parseExactJson(JSON.stringify(value))).toEqual(value)
  })

  it.each([
    '{1161380288898609915: 1}',
    '[01161380288898609915]',
    '[+1161380288898609915]',
    '[.1161380288898609915]',
    '[1161380288898609915.]',
    '[1161380288898609915"a"]',
    '["a"1161380288898609915]',
    '[1161380288898609915 1]',
    '[1161380288898609915',
    '{"a":1161380288898609915x}',
    '"1161380288898609915',
  ])('refuses %s, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

describe('keepsDigits', () => {
  it('compares decimal values', () => {
    for (const text of ['5', '0.10', '100000000000000000000', '15e-1', '0.1000000000000000000', '-0'])
      expect([text, keepsDigits(text)]).toEqual([text, true])
    for (const text of ['9007199254740993', '0.1000000000000000055511151231257827', '1e400', '1'.repeat(500)])
      expect([text, keepsDigits(text)]).toEqual([text, false])
  })

  it('tells a long number from other texts', () => {
    expect(
      ['9007199254740993', '+9007199254740993', '9007199254740992', 'a9007199254740993', ''].map(
        isLongNumber,
      ),
    ).toEqual([true, false, false, false, false])
  })
})
