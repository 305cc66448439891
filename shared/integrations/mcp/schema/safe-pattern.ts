/** Longer patterns are not read through. */
const longest = 200
const escapes = /\\[\s\S]/g
const classes = /\[[^[\]]*\]/g

/**
 * Whether a pattern of others can be tried on any text without taking minutes: JavaScript's engine tries every way to match,
 * and a server chooses the pattern while its words may lead a model to the text. Nothing may repeat what repeats, and only
 * two things may repeat without end, one if the pattern may begin anywhere.
 *
 * @example
 * isSafePattern('^[A-Z]{2}-\\d+$') // => true
 * isSafePattern('^(a+)+$') // => false
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > longest) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  if (/\\[1-9k]/.test(pattern)) return false
  const bare = pattern.replace(escapes, 'x').replace(classes, 'x')
  if (/\)[*+{]|\(\?[=!<]/.test(bare)) return false
  const counts = [...bare.matchAll(/[*+]|\{(\d{1,9})(,?)(\d{0,9})\}/g)].map(
    ([whole, least = '', comma, most]) =>
      whole === '*' || whole === '+' || (comma && most === '')
        ? Number.POSITIVE_INFINITY
        : Number(most || least),
  )
  const isAnchored = bare.startsWith('^') && !bare.includes('|')
  return counts.filter((count) => count > mostRepeated).length <= (isAnchored ? 2 : 1)
}

/** Repetitions that count as having an end. */
const mostRepeated = 64
