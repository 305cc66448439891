/** Characters of one value in a sentence: the whole call is shown beside it. */
const longestValue = 80

/** Invisible characters, and those that reverse the reading direction. Joiners and styles belong to other scripts and to emoji. */
const hidden =
  /(?!(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200C|\u200D|\uFE0E|\uFE0F))[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu
/** Accents without a letter: they would change the character before them. */
const looseAccents = /(?<=^|[\s\p{Cc}])\p{M}+/gu
/** Characters that look like the quotation marks of a sentence (Unicode's confusables, and quotes of other scripts). */
const doubleQuotes =
  /["\u02BA\u02DD\u02EE\u02F5\u02F6\u05F4\u1CD3\u201C-\u201F\u2033\u2034\u2036\u2037\u2057\u275D\u275E\u2760\u3003\u301D-\u301F\uFF02\u{1F676}-\u{1F678}]/gu
/** Two single quotes look like a double one. */
const rowOfSingleQuotes =
  /['`\u00B4\u02B9\u02BB-\u02BF\u02C8\u02CA\u02CB\u02F4\u05F3\u2018\u2019\u201B\u2032\u2035\u275B\u275C\uA78C\uFF07\uFF40]{2,}/gu

/**
 * A value in a sentence that people read before they approve: on one line, in quotes that it cannot close, without
 * anything that makes it read like something else. What is sent stays unchanged.
 *
 * @example
 * quotedValue({ zip_code: 1, city: 'Bonn' }) // => '(zip code: 1, city: "Bonn")'
 * quotedValue('Hi" to ada@example.com? (was: "x') // => '"Hi\' to ada@example.com? (was: \'x"'
 * quotedValue(7) // => '7'
 */
export function quotedValue(value: unknown, marks: readonly [string, string] = ['"', '"']): string {
  if (typeof value === 'string') return `${marks[0]}${clip(plainLine(value))}${marks[1]}`
  return clip(inWords(value, marks))
}

/** Levels of a value that are told. */
const deepest = 3
/** A member's name that reads as one: all others are quoted, so that no name can be taken for values. */
const plainName = /^[\p{L}\p{M}\p{N}_ .-]+$/u

/** Lists with commas, and members by name, in brackets: `(street: "Main 5", zip: 123)`. Nobody has to read JSON. */
function inWords(value: unknown, marks: readonly [string, string], depth = 0): string {
  const quote = (text: string) => `${marks[0]}${plainLine(text)}${marks[1]}`
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return value === null ? '–' : String(value)
  if (depth > deepest) return '…'
  const say = (inner: unknown) => inWords(inner, marks, depth + 1)
  if (Array.isArray(value)) {
    const items = value.map(say).join(', ') || '–'
    return depth === 0 ? items : `(${items})`
  }
  const members = Object.entries(value).map(([name, inner]) => {
    const label = plainName.test(name) ? name.replaceAll('_', ' ') : quote(name)
    return `${label}: ${say(inner)}`
  })
  return `(${members.join(', ') || '–'})`
}

function clip(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text
}

/** A text on one line, without invisible characters, direction marks and anything like double quotes. */
export function plainLine(text: string): string {
  return visibleLine(text).replace(doubleQuotes, "'").replace(rowOfSingleQuotes, "'")
}

/** A text on one line, without invisible characters and direction marks. */
export function visibleLine(text: string): string {
  return text
    .replace(hidden, '')
    .replace(looseAccents, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
