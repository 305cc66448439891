import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import { readArguments } from '../../reading/read-arguments.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { allowedValues } from '../../schema/describe-schema.ts'
import { alternativesOf, flattenSchema, itemSchema, typesOf } from '../../schema/resolve-schema.ts'
import { matchCode, matchTypo } from '../names/match-enum.ts'
import { isPlaceholder } from '../repair/placeholder.ts'
import { repairValue } from '../repair/repair-value.ts'
import { fitPattern } from './fit-pattern.ts'
import { readDate } from './read-date.ts'
import { readQuantity } from './read-quantity.ts'

// Not `enabled`: the parameter may be called `disabled`.
const yes = new Set(['yes', 'y', 'on', 'true', 't', '1', 'yeah', 'yep'])
const no = new Set(['no', 'n', 'off', 'false', 'f', '0', 'nope'])
/** Members that say something about a value and are not it: operators, and words of a schema that was copied. */
const aboutValues =
  /^[$@_]|^(?:not|no|ne|neq|eq|gte?|lte?|min|max|minimum|maximum|from|to|in|nin|or|and|like|except|exclude|excluding|without|type|format|enum|const|description|title|default|examples?|required|error|message|question|reason|source|unit)$/i
const maxListText = 5000
const maxListItems = 200
const maxDepth = 3

/**
 * The one value that was surely meant, for a proposed correction; it is valid at its place. `undefined` when there is
 * no such reading or more than one: then the place stays open. Never run without the model sending it. `name` is the
 * parameter's.
 */
export function guessValue(
  compiled: CompiledSchema,
  place: JsonSchema | boolean,
  value: unknown,
  name = '',
  depth = 0,
): unknown {
  if (depth > maxDepth) return undefined
  if (isObject(value) && Object.keys(value).join() === name)
    return guessOwnMember(compiled, place, value[name])
  const found = new Map<string, unknown>()
  for (const shape of alternativesOf(compiled.root, place)) {
    for (const candidate of candidatesFor(compiled, shape, value, depth)) {
      if (candidate !== undefined && compiled.isValidFor(place, candidate))
        found.set(JSON.stringify(candidate), candidate)
    }
  }
  return found.size === 1 ? [...found.values()][0] : undefined
}

/** `{"title": "x"}` for `title`. */
function guessOwnMember(compiled: CompiledSchema, place: JsonSchema | boolean, inside: unknown): unknown {
  if (isNoValue(inside)) return undefined
  return compiled.isValidFor(place, inside) ? inside : repairValue(compiled, place, inside)?.value
}

function* candidatesFor(
  compiled: CompiledSchema,
  shape: JsonSchema,
  value: unknown,
  depth: number,
): Generator<unknown> {
  const types = typesOf(shape)
  if (typeof value === 'string') yield* fromText(compiled, shape, types, value, depth)
  else if (typeof value === 'number') yield* fromNumber(shape, types, value)
  if (types.includes('object') && !isObject(value)) yield asOnlyMember(compiled, shape, value)
  if (types.includes('array')) yield* toArray(compiled, shape, value, depth)
  else if (Array.isArray(value) && value.length === 1) yield* insideOf(compiled, shape, value[0], depth)
  else if (isObject(value) && !types.includes('object')) {
    const inside = onlyMember(value)
    if (!isNoValue(inside))
      yield compiled.isValidFor(shape, inside) ? inside : repairValue(compiled, shape, inside)?.value
  }
}

/** What stands in an object around one value. */
function onlyMember(object: Record<string, unknown>): unknown {
  const [name, another] = Object.keys(object)
  return name === undefined || another !== undefined || aboutValues.test(name) ? undefined : object[name]
}

/** `"month"` where an object is wanted that needs one member only, which takes few values: `{"interval": "month"}`. */
function asOnlyMember(compiled: CompiledSchema, shape: JsonSchema, value: unknown): unknown {
  const [name, another] = shape.required ?? []
  if (name === undefined || another !== undefined || isNoValue(value)) return undefined
  const member = flattenSchema(compiled.root, shape.properties?.[name])
  const isTelling = member.format !== undefined || allowedValues(member) !== undefined
  return isTelling && compiled.isValidFor(member, value) ? { [name]: value } : undefined
}

/** Also a type's name: `{"type": "string"}` is a schema that was copied. */
function isNoValue(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined || value === null
  return isPlaceholder(value) || /^(?:string|number|integer|boolean|array|object)$/.test(value)
}

/** What is inside a needless list or pair of quotes. */
function* insideOf(
  compiled: CompiledSchema,
  shape: JsonSchema,
  value: unknown,
  depth: number,
): Generator<unknown> {
  if (isNoValue(value)) return
  yield compiled.isValidFor(shape, value)
    ? value
    : (repairValue(compiled, shape, value)?.value ?? guessValue(compiled, shape, value, '', depth + 1))
}

function* fromText(
  compiled: CompiledSchema,
  shape: JsonSchema,
  types: string[],
  text: string,
  depth: number,
): Generator<unknown> {
  const allowed = allowedValues(shape)
  if (allowed) yield matchTypo(allowed, text) ?? matchCode(allowed, text)
  if (types.includes('string')) {
    if (shape.format === 'date') yield readDate(text)
    else if (shape.format === 'email')
      yield onlyMatch(text, /[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi)
    else if (shape.format === 'uuid') yield onlyMatch(text, /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi)
    else if (shape.format === 'uri') yield completeUrl(text)
    if (shape.pattern !== undefined) yield fitPattern(shape.pattern, text)
  } else {
    if (types.includes('integer') || types.includes('number'))
      yield readQuantity(text, `${shape.title ?? ''} ${shape.description ?? ''}`)
    if (types.includes('boolean')) yield readYesNo(text)
    if (types.includes('object') && /^\s*\{/.test(text)) yield readLoosely(text)
  }
  yield* insideOf(compiled, shape, bareText(text), depth)
}

function* fromNumber(shape: JsonSchema, types: string[], value: number): Generator<unknown> {
  if (types.includes('boolean') && (value === 0 || value === 1)) yield value === 1
  // A zero often stands for a text that nobody gave.
  if (types.includes('string') && value !== 0 && !mayHaveLostDigits(shape, value)) yield String(value)
}

/** A phone number without its plus, one too long to be exact, or shorter than every example: `2134` for `'12345'`. */
function mayHaveLostDigits(shape: JsonSchema, value: number): boolean {
  if (
    /\b(?:phone|mobile|fax|telephone|postal|post ?code)\b/i.test(
      `${shape.title ?? ''} ${shape.description ?? ''}`,
    )
  )
    return true
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) : String(value).length > 15) return true
  const examples = [...(shape.description ?? '').matchAll(/['"`](\d+)['"`]/g)].map(
    (match) => match[1] as string,
  )
  for (const example of shape.examples ?? [])
    if (typeof example === 'string' && /^\d+$/.test(example)) examples.push(example)
  return examples.length > 0 && examples.every((example) => example.length > String(value).length)
}

function* toArray(
  compiled: CompiledSchema,
  shape: JsonSchema,
  value: unknown,
  depth: number,
): Generator<unknown> {
  if (typeof value === 'string') {
    if (value.length > maxListText) return
    if (/^\s*\[/.test(value)) yield readLoosely(value)
    else yield splitList(compiled, shape, value, depth)
  } else if (isObject(value)) {
    const keys = Object.keys(value)
    const inside = onlyMember(value)
    if (keys.length > 0 && keys.every((key, index) => key === String(index))) yield Object.values(value)
    else yield [value]
    if (Array.isArray(inside)) yield inside
  } else if (!Array.isArray(value) && value !== null) {
    const item = guessValue(compiled, itemSchema(shape, 0) ?? true, value, '', depth + 1)
    if (item !== undefined) yield [item]
  }
}

/** `10, 15, 12` as a list, only where every part is one of few possible values; free texts contain commas. */
function splitList(
  compiled: CompiledSchema,
  shape: JsonSchema,
  text: string,
  depth: number,
): unknown[] | undefined {
  const items = itemSchema(shape, 0) ?? true
  const constrained = alternativesOf(compiled.root, items).every(
    (item) =>
      allowedValues(item) !== undefined ||
      item.format !== undefined ||
      (item.pattern !== undefined && !compiled.isValidFor(item, text)) ||
      !typesOf(item).includes('string'),
  )
  if (!constrained || typesOf(shape).includes('string')) return undefined
  const separator = [';', '\n', ','].find((mark) => text.includes(mark))
  const whole = separator === undefined ? [text] : text.split(separator)
  const list = whole.map((part) => part.trim()).filter((part) => part !== '')
  if (list.length > maxListItems) return undefined
  const read = list.map((part) =>
    compiled.isValidFor(items, part)
      ? part
      : (repairValue(compiled, items, part)?.value ?? guessValue(compiled, items, part, '', depth + 1)),
  )
  return read.length > 0 && read.every((item) => item !== undefined) ? read : undefined
}

function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

/** Python's or JavaScript's way to write a value, read as the arguments of a call are. */
function readLoosely(text: string): unknown {
  const reading = readArguments(`{"value": ${text}}`)
  return reading.ok && Object.keys(reading.value).length === 1 ? reading.value.value : undefined
}

function onlyMatch(text: string, pattern: RegExp): string | undefined {
  if (text.length > 500) return undefined
  const matches = new Set(text.match(pattern) ?? [])
  return matches.size === 1 ? [...matches][0] : undefined
}

function completeUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^[a-z][a-z0-9+.-]*:/i.test(trimmed)) return trimmed
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?$/i.test(trimmed) ? `https://${trimmed}` : undefined
}

/** Without blanks or quotes around it, that a format, a pattern or another type does not allow. */
function bareText(text: string): string | undefined {
  if (text.length > maxListText) return undefined
  const trimmed = text.trim()
  const bare = /^(["'`])(.+)\1$/s.exec(trimmed)?.[2] ?? trimmed
  return bare === text || bare === '' ? undefined : bare
}
