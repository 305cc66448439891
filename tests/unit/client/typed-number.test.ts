import { expect, test } from 'vitest'
import { readNumber, showTypedNumber } from '../../../client/values/typed-number.ts'

test.each([
  ['de', '1,5', 1.5],
  ['de', '1.5', 1.5],
  ['de', '1.500', 1500],
  ['de', '1.234.567,25', 1_234_567.25],
  ['de', '−3', -3],
  ['en', '1.5', 1.5],
  ['en', '1,500', 1500],
  ['en', '1,234.5', 1234.5],
  ['en', '2e3', 2000],
  ['fr', '1 500,5', 1500.5],
])('in %s, %s is a number', (locale, typed, number) => {
  expect(readNumber(typed, locale)).toBe(number)
})

test.each([
  // It could be 15 as well.
  ['en', '1,5'],
  ['en', '1,5,000'],
  ['de', '1,5,2'],
  ['de', '1.50.000'],
  ['en', 'many'],
  ['en', '0x10'],
  ['en', ''],
])('in %s, %s is not a number', (locale, typed) => {
  expect(readNumber(typed, locale)).toBeUndefined()
})

test.each([
  ['de', '1161380288898609915', '1161380288898609915'],
  ['de', '1.161.380.288.898.609.915', '1161380288898609915'],
  ['en', '+1,161,380,288,898,609,915.05', '1161380288898609915.05'],
  ['de', '-12345678901234567,10', '-12345678901234567.10'],
  ['en', '.12345678901234567891', '0.12345678901234567891'],
])('in %s, %s keeps its digits', (locale, typed, digits) => {
  expect(readNumber(typed, locale)).toBe(digits)
  expect(readNumber(showTypedNumber(digits, locale), locale)).toBe(digits)
})

test.each(['en', 'de', 'fr', 'de-CH', 'ar-EG', 'hi'])('in %s, what is shown is read again', (locale) => {
  for (const number of [0, 25, -1.5, 0.125, 1234.5, 1e21, 1e-7]) {
    expect(readNumber(showTypedNumber(number, locale), locale)).toBe(number)
  }
})
