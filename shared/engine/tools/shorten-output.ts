import { countCharacters } from '../core/characters.ts'
import { isObject } from '../core/json-value.ts'
import { type CutCall, describePart, keepPart } from './text-part.ts'

/** Bytes of a tool's output that a model reads, unless its specification says otherwise. */
const defaultMaxOutputBytes = 32_768

export interface ShortenedOutput {
  /** The output itself if it fits; else its beginning, as the same type of value if possible. */
  data: unknown
  /** What was left out and how to get it; only present if something was. */
  note?: string
}

/**
 * The part of an output that a model reads: at most `maxBytes` of JSON (UTF-8). Lists keep their first items, long
 * texts their beginning, objects every member as far as it fits. With the call, the note says how the rest can be read.
 *
 * @example
 * shortenOutput('abcdef', 7).data // => 'ab…'
 */
export function shortenOutput(
  data: unknown,
  maxBytes: number = defaultMaxOutputBytes,
  call?: CutCall,
): ShortenedOutput {
  // At most three bytes per character of JSON: most outputs need no counting.
  if ((JSON.stringify(data)?.length ?? 0) * 3 <= maxBytes) return { data }
  const size = countBytes(data)
  if (size <= maxBytes) return { data }
  const left: Cut[] = []
  const kept = fit(data, maxBytes, '', left)
  const reading = call && keepPart(data, kept, call)
  const others = reading ? left.filter(({ path }) => path !== call.tool.readsOn?.text) : left
  const what = others.slice(0, listedCuts).map(({ words }) => words)
  const about = `This output was shortened from ${size} to ${maxBytes} bytes: ${what.join('; ')}.`
  if (!reading) return { data: kept, note: `${about}${wayToRest(call)}` }
  const next = describePart(reading.part, call.tool.readsOn?.parameter ?? '', 'shown')
  return { data: reading.data, note: others.length > 0 ? `${about} ${next}` : next }
}

/** What was left out at a place. */
interface Cut {
  path: string
  words: string
}

const listedCuts = 3

/** Says no more than the tool can do, and never that a write should be called again. */
function wayToRest(call: CutCall | undefined): string {
  if (call?.tool.effect !== 'read') return ''
  const names = Object.keys(call.tool.parameters.properties ?? {})
  return names.length === 0
    ? ' There is no way to the rest: this tool has no parameters.'
    : ` To get the rest, call the tool again for less at once, as far as its parameters allow: ${names.join(', ')}.`
}

/** Shortens a value to the given room, and reports to `left` what was left out. */
function fit(value: unknown, room: number, path: string, left: Cut[]): unknown {
  if (countBytes(value) <= room) return value
  const where = path === '' ? '' : ` of ${path}`
  if (typeof value === 'string') {
    const text = clip(value, room)
    const missing = countCharacters(value) - countCharacters(text) + 1
    left.push({ path, words: `${missing} characters${where} are left out` })
    return text
  }
  if (Array.isArray(value)) return fitList(value, room, path, left)
  return isObject(value) ? fitObject(value, room, path, left) : null
}

/** The first items that fit; the very first one is shortened itself if it is too long. */
function fitList(list: unknown[], room: number, path: string, left: Cut[]): unknown[] {
  const kept: unknown[] = []
  let free = room - 2
  for (const [index, item] of list.entries()) {
    const size = countBytes(item) + 1
    if (size > free) {
      if (index === 0) kept.push(fit(item, Math.max(2, free), `${path}[0]`, left))
      break
    }
    kept.push(item)
    free -= size
  }
  const missing = list.length - kept.length
  const where = path === '' ? '' : ` of ${path}`
  if (missing > 0) left.unshift({ path, words: `${missing} of ${list.length} items${where} are left out` })
  return kept
}

/** Small members stay whole; the large ones share the rest. */
function fitObject(
  object: Record<string, unknown>,
  room: number,
  path: string,
  left: Cut[],
): Record<string, unknown> {
  const members = Object.entries(object)
    .map(([name, value]) => ({ name, value, size: countBytes(value), frame: countBytes(name) + 2 }))
    .filter(({ value }) => value !== undefined)
  let free = room - 2
  let open = members.length
  const kept = new Map<string, unknown>()
  for (const { name, value, size, frame } of members.toSorted((a, b) => a.size - b.size)) {
    const share = Math.floor(free / open) - frame
    const place = path === '' ? name : `${path}.${name}`
    open -= 1
    if (share < smallestMember && size > share) {
      left.push({ path: place, words: `${place} is left out` })
      continue
    }
    const part = fit(value, share, place, left)
    kept.set(name, part)
    free -= countBytes(part) + frame
  }
  return Object.fromEntries(
    members.filter(({ name }) => kept.has(name)).map(({ name }) => [name, kept.get(name)]),
  )
}

/** With fewer bytes, the beginning of a member says nothing. */
const smallestMember = 16

const encoder = new TextEncoder()

/** Bytes of a value as JSON. */
function countBytes(value: unknown): number {
  const json = JSON.stringify(value)
  return json === undefined ? 0 : encoder.encode(json).length
}

/** The longest beginning whose JSON fits, including the ellipsis. */
function clip(text: string, room: number): string {
  return `${beginningOf(text, room - encoder.encode('…').length)}…`
}

/** The longest beginning of a text whose JSON has at most so many bytes; never half a character. */
export function beginningOf(text: string, maxBytes: number): string {
  let [from, to] = [0, Math.min(text.length, Math.max(0, maxBytes))]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (countBytes(text.slice(0, middle)) <= maxBytes) from = middle
    else to = middle - 1
  }
  const isHalf = /[\uD800-\uDBFF]$/.test(text.slice(0, from)) && /^[\uDC00-\uDFFF]/.test(text.slice(from))
  return text.slice(0, isHalf ? from - 1 : from)
}
