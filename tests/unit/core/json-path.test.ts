import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPath, parsePath, removeAt, setAt, valueAt } from '../../../shared/engine/core/json-path.ts'

test('a path is written like to[0].email', () => {
  expect(formatPath([])).toBe('')
  expect(formatPath(['to', 0, 'email'])).toBe('to[0].email')
  expect(formatPath([0, 'año', 'a-b'])).toBe('[0].año.a-b')
  expect(formatPath(['a b', '', '0', 'x.y'])).toBe('["a b"][""]["0"]["x.y"]')
})

test('every path can be read back', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.nat())), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path)
    }),
  )
})

test('what is no path is not read', () => {
  for (const text of ['a..b', 'a[', '[x]', 'a b', '.a', 'a.']) expect(parsePath(text), text).toBeUndefined()
})

test('values are read, set and removed, own members only', () => {
  const root = { to: [{ email: 'a' }, { email: 'b' }] }
  expect(valueAt(root, ['to', 1, 'email'])).toBe('b')
  expect(valueAt(root, ['constructor'])).toBeUndefined()
  expect(setAt(root, ['to', 0, 'email'], 'c')).toBe(true)
  expect(setAt(root, ['nowhere', 'x'], 1)).toBe(false)
  removeAt(root, ['to', 1])
  expect(root).toEqual({ to: [{ email: 'c' }] })
})

test('__proto__ is a member like any other', () => {
  const root: Record<string, unknown> = {}
  setAt(root, ['__proto__'], { polluted: true })
  expect(Object.keys(root)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.getPrototypeOf(root)).toBe(Object.prototype)
})
