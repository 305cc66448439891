const maxLength = 300

/**
 * The only text close to `text` that a pattern accepts: part of it, in another case, without spaces, or with the fixed
 * beginning or ending that the pattern requires. `undefined` if none or more than one fits.
 *
 * @example
 * guessByPattern('^#W[0-9]{7}$', '#9962383') // => '#W9962383'
 */
export function guessByPattern(pattern: string, text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || Math.max(trimmed.length, pattern.length) > maxLength) return undefined
  const whole = new RegExp(pattern, 'u')
  const bare = [trimmed, trimmed.replace(/\s+/g, ''), trimmed.replace(/[\s-]+/g, '')]
  const forms = bare.flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()])
  // From closest to farthest; the first kind that fits decides.
  for (const near of [
    forms,
    forms.flatMap((form) => findParts(pattern, form)),
    bare.flatMap((form) => addEnds(pattern, form)),
  ]) {
    const fitting = new Set(near.filter((form) => whole.test(form)))
    if (fitting.size > 0) return fitting.size === 1 ? [...fitting][0] : undefined
  }
  return undefined
}

/** The parts of a text that match the pattern without its anchors. */
function findParts(pattern: string, text: string): string[] {
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.includes('|')) return []
  try {
    const anywhere = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern.slice(1, -1)})(?![\\p{L}\\p{N}])`, 'gu')
    return text.match(anywhere) ?? []
  } catch {
    return []
  }
}

/** Adds the literal characters at both ends of a pattern, some of which the text may already have. */
function addEnds(pattern: string, text: string): string[] {
  const start = /^\^((?:[\p{L}\p{N}#@_:/ -]|\\[-.#/+])+)(?![*+?{])/u.exec(pattern)?.[1]?.replaceAll('\\', '')
  const end = /((?:[\p{L}#@_:/ %-]|\\[-.#/+%])+)\$$/u.exec(pattern)?.[1]?.replaceAll('\\', '') ?? ''
  const begun = [text]
  for (let kept = 0; start !== undefined && kept <= start.length; kept++) {
    if (text.startsWith(start.slice(0, kept))) begun.push(start + text.slice(kept))
    if (text.startsWith(start.slice(start.length - kept)))
      begun.push(start.slice(0, start.length - kept) + text)
  }
  return begun.flatMap((form) => (form.endsWith(end) ? [form] : [form, form + end]))
}
