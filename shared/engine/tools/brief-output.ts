import { quoteLongNumbers } from '../core/exact-json.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import { withoutMiddle } from '../core/without-middle.ts'

/** Bytes of JSON up to which later turns read an output whole. */
const wholeOutputBytes = 2048

/** Characters that all long texts of an output together may keep; of each at least `shortest`, at most `longest`. */
const bytesForTexts = 2048
const shortest = 120
const longest = 600
/** Characters of a title or an address that is kept whole. */
const longestName = 1000
/** Addresses of the middle of a text that are kept. */
const mostAddresses = 50
const deepest = 100

/** Members that say what something is called, or where it is: later calls name them. */
const naming =
  /^(?:.*[_-])?(?:ids?|key|token|cursor|title|subject|name|filename|label|url|uri|href|link|e?mails?|address(?:es)?|from|sender|to|cc|bcc|reply_?to|recipients?|phone|number|iban|account)$|[a-z](?:Ids?|Key|Token|Cursor|Title|Subject|Name|Url|Uri|Link|Emails?|Address(?:es)?|Number)$/i

/** What tells whose mail it is, and who is to be answered: a part of it could name somebody else. */
const telling = /^(?:id|message_id|messageId|from|reply_to|replyTo|reply-to)$/

/**
 * What later turns read of a tool's output: all of its structure, ids, titles and addresses, the values at the paths that
 * its tool declares as trusted, and of long texts the beginning and the end. Undefined if it is short, or nothing in it
 * is left out.
 */
export function briefOutput(data: unknown, trustedOutput: readonly string[] = []): unknown {
  const json = JSON.stringify(data) ?? ''
  if (json.length <= wholeOutputBytes && new TextEncoder().encode(json).length <= wholeOutputBytes)
    return undefined
  const trusted = new Set(
    trustedOutput.flatMap((path) => {
      const steps = path.replaceAll('[*]', '.*').split('.').filter(Boolean)
      // A tool may wrap its output.
      return [steps.join('.'), ['data', ...steps].join('.')]
    }),
  )
  let texts = 0
  mapTexts(data, trusted, (text) => {
    texts++
    return text
  })
  const share = Math.max(shortest, Math.min(longest, Math.floor(bytesForTexts / Math.max(1, texts))))
  const brief = mapTexts(data, trusted, (text) => shorten(text, share))
  return (JSON.stringify(brief) ?? '').length < json.length ? brief : undefined
}

/** Replaces each text that no later call could name. */
function mapTexts(
  value: unknown,
  trusted: ReadonlySet<string>,
  replace: (text: string) => string,
  path: readonly string[] = [],
): unknown {
  if (path.length > deepest || trusted.has(path.join('.')) || telling.test(path.at(-1) ?? '')) return value
  if (typeof value === 'string') {
    if (value.length <= shortest) return value
    if (value.length <= longestName && naming.test(path.findLast((key) => key !== '*') ?? '')) return value
    // Written again, a long number would be a text.
    const isJson = /^\s*[[{]/.test(value) && quoteLongNumbers(value) === value
    const inside = isJson ? readJsonText(value) : undefined
    if (inside === undefined) return replace(value)
    const json = JSON.stringify(mapTexts(inside, trusted, replace, path))
    // What reads as words, as opposed to a mark or an id, still does.
    return /\s/.test(value) && !/\s/.test(json) ? ` ${json}` : json
  }
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, trusted, replace, [...path, '*']))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTexts(member, trusted, replace, [...path, key])]),
  )
}

function shorten(text: string, room: number): string {
  if (text.length <= room) return text
  const gap = /\s/.test(text) ? ' … ' : '…'
  const tail = Math.floor(room / 3)
  const addresses = addressesIn(text.slice(room - tail, text.length - tail))
  const named = addresses.length > 0 ? `${gap}${addresses.join(' ')}${gap}` : gap
  return withoutMiddle(text, room - tail, tail, named)
}

/** The mail and web addresses in a text, each once. */
function addressesIn(text: string): string[] {
  if (!/@|:\/\//.test(text)) return []
  const words = text.split(/[\s<>()[\]{}"'`,;|]+/).map((word) => word.replace(/[.:!?]+$/, ''))
  const isAddress = (word: string) =>
    word.length <= longestName && (/^https?:\/\/./i.test(word) || /^[^@]+@[^@]+\.[^@.]+$/.test(word))
  return [...new Set(words.filter(isAddress))].slice(0, mostAddresses)
}
