import { isObject } from '../core/json-value.ts'
import { readHeaderAddresses } from './email-address.ts'

/** The members of an object at a trusted place that are values: never a name, a comment or a rendering of both. */
const isValue = /^(?:e?mail|address|value|phone|number|iban|account)/i
const isLabel = /name|label|title/i
const deepest = 8
/** Characters of a header with a thousand recipients; a longer text is not a single value. */
const longest = 50_000

/**
 * The values at the paths that a tool declares as trusted (`messages[*].from`). Within the turn that fetched them
 * only if a list had a single item, so that one hostile mail in a listing cannot become a recipient at once.
 */
export function trustedValues(
  output: unknown,
  paths: readonly string[],
  isEarlierTurn: boolean,
): (string | number)[] {
  const data = isObject(output) && output.ok === true && 'data' in output ? output.data : output
  return paths
    .flatMap((path) => placesAt(data, path, isEarlierTurn))
    .flatMap((place) => collectValues(place))
    .flatMap((value) =>
      typeof value === 'string' && value.includes('@') ? readHeaderAddresses(value) : [value],
    )
}

/**
 * Whether an output holds any text beside the values at the paths that its tool declares as trusted: others may have
 * written that. Numbers and flags say nothing.
 */
export function hasOtherText(output: unknown, paths: readonly string[]): boolean {
  const data = isObject(output) && output.ok === true && 'data' in output ? output.data : output
  const trusted = new Set(
    paths.map((path) => path.replaceAll('[*]', '.*').split('.').filter(Boolean).join('.')),
  )
  const open: { value: unknown; path: string[] }[] = [{ value: data, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && !trusted.has(path.join('.'))) return true
    if (Array.isArray(value)) {
      // A list of values may stand at a trusted place, too.
      const isTrusted = trusted.has(path.join('.')) && value.every((item) => typeof item === 'string')
      if (!isTrusted) for (const item of value) open.push({ value: item, path: [...path, '*'] })
    } else if (isObject(value))
      for (const [key, member] of Object.entries(value)) {
        if (!isName.test(key)) return true
        open.push({ value: member, path: [...path, key] })
      }
  }
  return false
}

/** A key that is no sentence. */
const isName = /^[\w-]{1,64}$/

function placesAt(data: unknown, path: string, isEarlierTurn: boolean): unknown[] {
  const keys = path.replaceAll('[*]', '.*').split('.').filter(Boolean)
  let places = [data]
  for (const [index, key] of keys.entries()) {
    // A list at the end of a path inside another list belongs to the item: the phone numbers of one contact.
    const isOfItem = index === keys.length - 1 && keys.indexOf('*') < index
    places = places.flatMap((place) => {
      if (key === '*')
        return Array.isArray(place) && (isEarlierTurn || isOfItem || place.length === 1) ? place : []
      return isObject(place) && Object.hasOwn(place, key) ? [place[key]] : []
    })
  }
  return places
}

/** The strings and numbers at a place; of an object only its values, whatever it shows beside them. */
export function collectValues(place: unknown, depth = 0): (string | number)[] {
  if (depth > deepest) return []
  if (typeof place === 'number') return [place]
  if (typeof place === 'string') return place.length > longest ? [] : [place]
  if (Array.isArray(place)) return place.flatMap((item) => collectValues(item, depth + 1))
  if (!isObject(place)) return []
  return Object.entries(place).flatMap(([key, member]) =>
    isValue.test(key) && !isLabel.test(key) ? collectValues(member, depth + 1) : [],
  )
}
