import type { UnreadableReason } from './arguments-reading.ts'

export type SurroundingsVerdict =
  | { ok: true; rules: string[] }
  | { ok: false; reason: UnreadableReason; message: string }

/** Longer texts around an object are no remark about it. */
const maxSurroundings = 4_000

/** Text before an object that shows that the object is only a part of the arguments. */
const partsBefore: readonly [RegExp, string][] = [
  [/["'`]\s*:/, 'members stand before the first "{"'],
  [/=\s*$/, 'the object is the value of one keyword argument'],
  [/\[[^\]]*$/, 'the object is an item of a list'],
  [/[}]/, 'a "}" stands before the first "{"'],
  [/["']\s*$/, 'a quote stands before the first "{"'],
  [/<\s*(?:param|parameter|arg\w*)\b/i, 'the object is the value of one tagged parameter'],
]

/** Text after an object, behind extra closers and a fence, that shows the same. */
const partsAfter: readonly [RegExp, string][] = [
  [/\{/, 'there is more than one object'],
  [/["'`]\s*:/, 'members stand behind the last "}"'],
  [/^["']/, 'a quote stands behind the last "}"'],
  [/\}/, 'a "}" stands far behind the object'],
  [/\[\s*["'{[\d-]/, 'a list stands behind the object'],
]

/**
 * Whether the text around one complete object may be left out: fences, prose, special tokens, extra closers.
 * Never anything that may belong to the arguments.
 */
export function judgeSurroundings(before: string, after: string): SurroundingsVerdict {
  if (before.length + after.length > maxSurroundings) {
    return { ok: false, reason: 'unreadable', message: 'too much other text surrounds the object' }
  }
  const rules: string[] = []
  const prose = before.replace(/`{3,}\w*\s*$/, '').trim()
  if (prose.length < before.trim().length || /^\s*`{3}/.test(after)) rules.push('code_fence')
  for (const [pattern, message] of partsBefore) {
    if (pattern.test(prose)) return { ok: false, reason: 'unreadable', message }
  }

  const [closers = ''] = /^[\s}\],;]*/.exec(after) ?? []
  const rest = after
    .slice(closers.length)
    .replace(/^`{3,}/, '')
    .trim()
  if (/[}\]]/.test(closers)) rules.push('extra_closer')
  if (/[,;]/.test(closers)) rules.push('trailing_comma')
  for (const [pattern, message] of partsAfter) {
    if (pattern.test(rest)) return { ok: false, reason: 'ambiguous', message }
  }
  if (closers.includes(',') && rest !== '') {
    return { ok: false, reason: 'ambiguous', message: 'more text follows the object and a comma' }
  }
  // With an opening brace lost, what was read is the value of one member.
  if (/[}\]]/.test(closers) && prose !== '') {
    return { ok: false, reason: 'unreadable', message: 'there are more closers than openers' }
  }
  if (prose !== '' || rest !== '') rules.push('surrounding_prose')
  return { ok: true, rules }
}
