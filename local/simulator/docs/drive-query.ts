import { driveError } from './docs-error.ts'
import type { DriveFile } from './drive-file.ts'
import { wordsOf } from './paper.ts'

type Test = (file: DriveFile) => boolean

const term =
  /^\s*(?:appProperties\s+has\s*\{\s*key\s*=\s*'((?:[^'\\]|\\.)*)'\s+and\s+value\s*=\s*'((?:[^'\\]|\\.)*)'\s*\}|(\w+)\s*(contains|!=|=)\s*(?:'((?:[^'\\]|\\.)*)'|(true|false)))/
const joint = /^\s+(and|or)\s+/

/**
 * Parses `q` of files.list: terms joined by `and` or `or`, `not` before one, brackets around several
 * (developers.google.com/workspace/drive/api/guides/search-files). Throws Google's 400.
 */
export function readQuery(query: string): Test {
  const reader = { rest: query }
  const test = readTerms(reader)
  if (reader.rest.trim() !== '') throw invalidValue('q')
  return test
}

export function invalidValue(location: string) {
  return driveError(400, 'invalid', 'Invalid Value', { location, locationType: 'parameter' })
}

function readTerms(reader: { rest: string }): Test {
  let test = readTerm(reader)
  for (let found = joint.exec(reader.rest); found; found = joint.exec(reader.rest)) {
    reader.rest = reader.rest.slice(found[0].length)
    const left = test
    const right = readTerm(reader)
    test = found[1] === 'and' ? (file) => left(file) && right(file) : (file) => left(file) || right(file)
  }
  return test
}

function readTerm(reader: { rest: string }): Test {
  const prefix = /^\s*(not\s+|\()/.exec(reader.rest)
  if (prefix?.[1] === '(') {
    reader.rest = reader.rest.slice(prefix[0].length)
    const test = readTerms(reader)
    if (!/^\s*\)/.test(reader.rest)) throw invalidValue('q')
    reader.rest = reader.rest.replace(/^\s*\)/, '')
    return test
  }
  if (prefix) {
    reader.rest = reader.rest.slice(prefix[0].length)
    const test = readTerm(reader)
    return (file) => !test(file)
  }
  const found = term.exec(reader.rest)
  if (!found) throw invalidValue('q')
  reader.rest = reader.rest.slice(found[0].length)
  const [, key, property, field = '', operator = '', text, truth] = found
  if (key !== undefined) return (file) => file.appProperties[plain(key)] === plain(property)
  return compare(field, operator, text === undefined ? truth === 'true' : plain(text))
}

function plain(escaped = ''): string {
  return escaped.replace(/\\(.)/g, '$1')
}

function compare(field: string, operator: string, value: string | boolean): Test {
  const wanted = String(value).toLowerCase()
  const equals = (read: (file: DriveFile) => unknown): Test =>
    operator === '!=' ? (file) => read(file) !== value : (file) => read(file) === value
  if (field === 'name' && operator === 'contains') {
    // "The contains operator only performs prefix matching for a name term."
    return ({ name }) =>
      words(name).some((word) => word.startsWith(wanted)) || name.toLowerCase().startsWith(wanted)
  }
  if (field === 'fullText' && operator === 'contains') {
    return (file) => {
      const present = new Set(words([file.name, ...file.tabs.map(({ paper }) => wordsOf(paper))].join(' ')))
      return words(wanted).every((word) => present.has(word))
    }
  }
  if (operator === 'contains') throw invalidValue('q')
  if (field === 'name') return equals(({ name }) => name)
  if (field === 'mimeType') return equals(({ mimeType }) => mimeType)
  if (field === 'trashed') return equals(({ trashed }) => trashed)
  throw invalidValue('q')
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
