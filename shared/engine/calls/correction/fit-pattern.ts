const maxLength = 300

/**
 * The one text near `text` that a pattern accepts: a part of it, another case, without blanks, with the fixed beginning
 * or ending that the pattern demands. `undefined` when none or more than one fits.
 *
 * @example
 * fitPattern('^#W[0-9]{7}$', '#9962383') // => '#W9962383'
 */
export function fitPattern(pattern: string, text: string): string | undefined {
  if (text.length > maxLength || text.trim() === '') return undefined
  const whole = new RegExp(pattern, 'u')
  const fitting = new Set<string>()
  const trimmed = text.trim()
  const forms = [trimmed, trimmed.replace(/\s+/g, ''), trimmed.replace(/[\s-]+/g, '')]
  const cased = forms.flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()])
  for (const form of cased) if (whole.test(form)) fitting.add(form)
  if (fitting.size > 0) return onlyOne(fitting)
  for (const form of cased) for (const part of partsOf(pattern, form)) if (whole.test(part)) fitting.add(part)
  if (fitting.size > 0) return onlyOne(fitting)
  const [start, end] = fixedEnds(pattern)
  for (const form of forms) {
    for (const begun of withStart(form, start)) {
      for (const ended of new Set([begun, begun.endsWith(end) ? begun : begun + end]))
        if (whole.test(ended)) fitting.add(ended)
    }
  }
  return onlyOne(fitting)
}

/** The parts of a text that match the pattern without its anchors. */
function partsOf(pattern: string, text: string): string[] {
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.includes('|')) return []
  try {
    const anywhere = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern.slice(1, -1)})(?![\\p{L}\\p{N}])`, 'gu')
    return text.match(anywhere) ?? []
  } catch {
    return []
  }
}

/** The literal characters with which a pattern begins and ends. */
function fixedEnds(pattern: string): [string, string] {
  const start = /^\^((?:[\p{L}\p{N}#@_:/ -]|\\[-.#/+])+)(?![*+?{])/u.exec(pattern)?.[1] ?? ''
  const end = /((?:[\p{L}#@_:/ %-]|\\[-.#/+%])+)\$$/u.exec(pattern)?.[1] ?? ''
  return [start.replaceAll('\\', ''), end.replaceAll('\\', '')]
}

/** The text behind the fixed beginning, of which it may have a part already. */
function withStart(text: string, start: string): string[] {
  const texts = new Set([text])
  for (let kept = 0; kept <= start.length; kept++) {
    if (text.startsWith(start.slice(0, kept))) texts.add(start + text.slice(kept))
    if (text.startsWith(start.slice(start.length - kept)))
      texts.add(start.slice(0, start.length - kept) + text)
  }
  return [...texts]
}

function onlyOne(texts: ReadonlySet<string>): string | undefined {
  return texts.size === 1 ? [...texts][0] : undefined
}
