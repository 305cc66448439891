import type { Observation } from './facts/observation.ts'
import { addresses, hosts } from './tables/words.ts'

const hostCodes = /^(?:ENOTFOUND|EAI_\w+|ENODATA)$/
const pathCodes =
  /^(?:ENOENT|EISDIR|ENOTDIR|EACCES|EPERM|EROFS|EEXIST|ENOTEMPTY|ENAMETOOLONG|ERR_INVALID_URL|ERR_INVALID_URL_SCHEME|ERR_INVALID_PROTOCOL)$/

/** The kind of place that could not be reached or opened, if the error is about one. */
export function isFaultOfPlace({ codes, texts }: Observation): 'host' | 'path' | undefined {
  if (codes.some((code) => hostCodes.test(code)) || texts.some((text) => hosts.words.test(text)))
    return 'host'
  const isPath =
    codes.some((code) => pathCodes.test(code)) || texts.some((text) => addresses.words.test(text))
  return isPath ? 'path' : undefined
}

/** Names of hosts, paths and files inside an error. */
const placeNames = /[\w-]+(?:[./\\:][\w%@-]+)+/g
/** A value that could itself be a place. */
const likePlace = /^[\w.-]+\.[a-z]{2,}$|[/\\]|^[\w.-]+\.\w{1,5}$/i

/**
 * Whether the place that an error names was an argument of the call: one contains the other. If the error
 * names none, whether any argument could be a place.
 */
export function mentionsPlace(args: Record<string, unknown>, texts: readonly string[]): boolean {
  const values = textsIn(args)
  const named = texts.join('\n').match(placeNames) ?? []
  if (named.length === 0) return values.some((value) => likePlace.test(value))
  return values.some((value) =>
    named.some((name) => value.includes(name) || (value.length > 3 && name.includes(value))),
  )
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.values(value).flatMap((member) => textsIn(member, depth + 1))
}
