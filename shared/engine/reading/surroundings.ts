import type { UnreadableReason } from './arguments-reading.ts'

/** Tags that models put around their thoughts, in angle or square brackets. */
export const thoughtTags = 'think|thinking|thought|reasoning'

type SurroundingsVerdict =
  | { ok: true; rules: string[] }
  | { ok: false; reason: UnreadableReason; message: string }

/** Longer texts around an object are not a remark about it. */
const maxSurroundings = 4_000

/** Text before an object that shows that the object is only part of the arguments. */
const partsBefore: readonly [RegExp, string][] = [
  [/["'`]\s*:/, 'members stand before the first "{"'],
  [
    new RegExp(String.raw`[<[](${thoughtTags})[>\]](?![\s\S]*[<[]/\1[>\]])`, 'i'),
    'the object stands in thoughts that do not end',
  ],
  [/=\s*$/, 'the object is the value of one keyword argument'],
  [/\[[^\]]*$/, 'the object is an item of a list'],
  [/\[\s*["'{[\d\]-]/, 'a list stands before the first "{"'],
  [/[}]/, 'a "}" stands before the first "{"'],
  [/["']\s*$/, 'a quote stands before the first "{"'],
  [/(?:^|[\s(,])(?:-?\d+(?:\.\d+)?|true|false|null|None)\s*,?\s*$/i, 'a value stands before the first "{"'],
  [/(?:["'`\])]|\([^()]*),\s*$/, 'the object is one of several arguments'],
  [/\)\s*\(\s*$|(?:^|\s)--?[a-z][\w-]*\s*$/, 'the object is one of several arguments'],
]

/** Text after an object, after extra closers and a fence, that shows the same. */
const partsAfter: readonly [RegExp, string][] = [
  [/\{/, 'there is more than one object'],
  [/["'`]\s*:/, 'members stand behind the last "}"'],
  [/^[^\p{L}\p{N}<]*["']/u, 'a quote stands behind the last "}"'],
  [/\}/, 'a "}" stands far behind the object'],
  [/\[\s*["'{[\d\]-]/, 'a list stands behind the object'],
  [/^(?:-?\d+(?:\.\d+)?|true|false|null|None)(?=[\s,]|$)/i, 'a value stands behind the object'],
  [/(?:^|\s)--[a-z][\w-]*/, 'an option stands behind the object'],
  [new RegExp(String.raw`[<[]/(?:${thoughtTags})[>\]]`, 'i'), 'the object stands in thoughts'],
]

/** A line that assigns a value to a name, or a name with the object as its value. Prose starts with a capital. */
const memberLine = /^[ \t]*([a-z_][\w-]*)[ \t]*[:=](?!\/\/)/gm
/** A name in any case whose line consists of one JSON value. */
const valueLine =
  /^[ \t]*([a-z_][\w-]*)[ \t]*[:=][ \t]*(?:-?\d[\d.]*|true|false|null|none|"[^"\n]*"|'[^'\n]*')[ \t,]*$/gim
/** A label before all arguments, or an explanation: neither is a parameter with its value. */
const label =
  /^(?:tool_?|function_?|action_?)?(?:calls?|arguments|args|parameters|params|input|json|output|answer|response|result|thought|action|tool|function|name|note|sure|here|ok)$/i
/** Emphasis, and list markers. */
const markdown = /\*+|^[ \t]*(?:[-•>]|\d+[.)])(?=[ \t])/gm
const tag = /<\/?([a-z][\w-]*)[^<>]*>/gi
/** Tags around all arguments and around thoughts; any other tag is the name of one value. */
const outerTag =
  /^(?:tool_?|function_?)?(?:calls?|tool|function|arguments|args|parameters|params|input|json|output|answer|response|result|think|thinking|thought|reasoning|s|[be]os|(?:start|end)_of_\w+)$/i

/** `Here it is:`, `json`: announces arguments, even if there are none. */
const announcement = /:$|^(?:\w+ )?(?:arguments|args|parameters|params|input|json)$/i
/** A comment after the object, unless it may contain members that a lost line break put there. */
const comment = /^\s*(?:\/\*[^{}"':]*?\*\/|(?:\/\/|#)[^{}"':\n]*(?:\n|$))/
const endTokens = /<\|\w+\|>|<\/?[\w-]+>/g

/**
 * Whether the text around one complete object may be left out: fences, prose, special tokens, extra closers.
 * Never anything that may belong to the arguments; and an empty object within prose does not count as arguments.
 */
export function judgeSurroundings(before: string, after: string, isEmpty: boolean): SurroundingsVerdict {
  if (before.length + after.length > maxSurroundings) {
    return { ok: false, reason: 'unreadable', message: 'too much other text surrounds the object' }
  }
  const rules: string[] = []
  const prose = before.replace(/`{3,}\w*\s*$/, '').trim()
  if (prose.length < before.trim().length || /^\s*`{3}/.test(after)) rules.push('code_fence')
  for (const [pattern, message] of partsBefore) {
    if (pattern.test(prose)) return { ok: false, reason: 'unreadable', message }
  }
  const named = namedPart(prose)
  if (named !== undefined) {
    return { ok: false, reason: 'unreadable', message: `the object is only a part, beside "${named}"` }
  }

  const [closers = ''] = /^[\s}\],;]*/.exec(after) ?? []
  const behind = after.slice(closers.length).replace(/^`{3,}/, '')
  const rest = behind.replace(comment, '').trim()
  if (rest !== behind.trim()) rules.push('comment')
  if (/[}\]]/.test(closers)) rules.push('extra_closer')
  if (/[,;]/.test(closers)) rules.push('trailing_comma')
  for (const [pattern, message] of partsAfter) {
    if (pattern.test(rest)) return { ok: false, reason: 'ambiguous', message }
  }
  if (closers.includes(',') && rest !== '') {
    return { ok: false, reason: 'ambiguous', message: 'more text follows the object and a comma' }
  }
  const following = namedPart(rest)
  if (following !== undefined) {
    return { ok: false, reason: 'ambiguous', message: `"${following}" stands behind the object` }
  }
  // If an opening brace was lost, this is the value of only one member.
  if (/[}\]]/.test(closers) && prose !== '') {
    return { ok: false, reason: 'unreadable', message: 'there are more closers than openers' }
  }
  if (isEmpty && !standsAlone(prose, rest, after)) {
    return { ok: false, reason: 'unreadable', message: 'the only object is empty and stands in other text' }
  }
  if (prose !== '' || rest !== '') rules.push('surrounding_prose')
  return { ok: true, rules }
}

/** The name of another parameter in the text around the object, if there is one. */
function namedPart(text: string): string | undefined {
  const plain = text.replace(markdown, '')
  for (const line of [memberLine, valueLine]) {
    for (const [, name = ''] of plain.matchAll(line)) if (!label.test(name)) return name
  }
  for (const [, name = ''] of text.matchAll(tag)) if (!outerTag.test(name)) return name
  return undefined
}

/** Whether an object is set apart from the prose around it, and is not just a pair of braces in a sentence or in code. */
function standsAlone(prose: string, rest: string, after: string): boolean {
  const announced = withoutTokens(prose)
  if (announced !== '' && !announcement.test(announced)) return false
  return withoutTokens(rest) === '' || /^[\s`}\],;]*\n/.test(after)
}

function withoutTokens(text: string): string {
  return text.replace(endTokens, '').trim()
}
