import { expect, test } from 'vitest'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { type EntryUpgrade, upgradeEntry } from '../../../shared/engine/transcript/entry-version.ts'

const text = (words: string, version?: number) =>
  ({ type: 'model-text', text: words, ...(version === undefined ? {} : { version }) }) as Entry
const added =
  (letter: string) =>
  (entry: Entry): Entry =>
    entry.type === 'model-text' ? { ...entry, text: entry.text + letter } : entry
const steps: EntryUpgrade[] = [
  { version: 3, upgrade: added('b') },
  { version: 4, upgrade: added('c') },
]
const upgraded = (entry: Entry) => (upgradeEntry(entry, steps) as { text?: string } | undefined)?.text

test('an entry goes through the changes since its version, in order', () => {
  expect([text('a'), text('a', 1), text('a', 3), text('a', 4)].map(upgraded)).toEqual([
    'abc',
    'abc',
    'ac',
    'a',
  ])
})

test('an entry that newer code wrote is not read', () => {
  expect(upgradeEntry(text('a', 5), steps)).toBeUndefined()
})

test('today there is one format', () => {
  expect(upgradeEntry(text('a'))).toEqual(text('a'))
  expect(upgradeEntry(text('a', 2))).toBeUndefined()
})
