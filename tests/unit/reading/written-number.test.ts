import { expect, test } from 'vitest'
import { readWrittenNumber } from '../../../shared/engine/reading/written-number.ts'

test.each<[string, number | undefined]>([
  ['1234', 1234],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['.5', 0.5],
  ['0,5', 0.5],
  ['1,234', 1234],
  ['1.234', 1234],
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['1.234.567', 1_234_567],
  ['1 234', 1234],
  ['1 234,56', 1234.56],
  ['1’234.50', 1234.5],
  ['1,23,456', 123_456],
  ['12,34,567', 1_234_567],
  ['12,34,567.5', 1_234_567.5],
  ['123,45,678', undefined],
  ['12.34.567', undefined],
  ['12,34', 12.34],
  ['0,123', 0.123],
  ['1234,567', 1234.567],
  ['1,2345,678', undefined],
  ['1.2,3.4', undefined],
  ['1 23', undefined],
  ['007', undefined],
  ['5.', undefined],
  ['1e5', undefined],
  ['-5', undefined],
  ['', undefined],
])('%j is read as %j', (text, number) => {
  expect(readWrittenNumber(text)).toBe(number)
})
