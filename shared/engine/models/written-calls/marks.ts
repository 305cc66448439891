import { openers } from './families.ts'

/** A control token: `<|…|>`, DeepSeek's wide bars, Gemma's half ones, Mistral's brackets. */
export const controlToken =
  /<[|｜](?:[^<>|｜\n]{1,60}[|｜]>|"[|｜]>|[A-Za-z_:]{1,40}>)|<[A-Za-z_:]{1,40}\|>|\[\/?[A-Z][A-Z_]{3,30}\]/
    .source
/** A tag, also one of a markup language (`<｜DSML｜invoke>`, `<ifm|tool_call>`), with attributes or `=value`. */
export const tag =
  /<\/?(?:[|｜][A-Za-z]{2,12}[|｜]|[a-z]{2,12}[|｜])?[A-Za-z][\w:.-]{0,60}(?:[ =][^<>\n]{0,200})?\/?>/.source
const bareTag = /<\/?(?:[|｜][A-Za-z]{2,12}[|｜]|[a-z]{2,12}[|｜])?[\w:-]{1,40}>/.source
const fence = /```\w*/.source

/** Names of marks that belong to calls. */
export const callish = /tool|func|call|invoke|plugin|action|command|exec|api|param|arg/i
/** The part of them that few other markup has. */
const surelyCallish = /tool|func|call|invoke/i

/** True for a mark whose name (without attributes) speaks of calls. */
export function isCallMark(mark: string): boolean {
  return surelyCallish.test(/^[^\s=>]+/.exec(mark)?.[0] ?? '')
}

/** Names of marks that belong to thoughts. */
const thoughtful = /think|thought|reason|ruminat|deliberat|monolog|reflect|scratchpad/i
const closing = /^<?[[<|｜]*\/|end|close|stop|suffix|finish|\/[\]>]$/i

/**
 * True for a mark around thoughts.
 *
 * @example
 * isThoughtMark('<seed:think>') // => true
 * isThoughtMark('<|END_REASONING|>') // => true
 */
export function isThoughtMark(mark: string): boolean {
  return thoughtful.test(mark) && !callish.test(mark.replace(/action/i, '')) && !mark.includes('budget')
}

/** True for an element of HTML or SVG that may have a tool's name in an attribute. */
export function isHtml(mark: string): boolean {
  return html.test(mark)
}

const html =
  /^<\/?(?:a|abbr|article|aside|audio|b|body|br|button|circle|code|dd|div|dl|dt|em|fieldset|footer|form|g|h[1-6]|head|header|hr|i|iframe|img|input|kbd|label|li|link|main|meta|nav|ol|optgroup|option|p|path|pre|rect|section|select|small|span|strong|style|sub|summary|sup|svg|table|tbody|td|text|textarea|th|thead|title|tr|u|ul|video)[\s/>]/i

/** True for a mark that ends what one before it began. */
export function isClosing(mark: string): boolean {
  return closing.test(mark)
}

/** Finds openers; global. */
export function openerSearch(): RegExp {
  return new RegExp(openers.map(literally).join('|'), 'g')
}

/** Finds control tokens and tags; global. */
export function markSearch(): RegExp {
  return new RegExp(`${controlToken}|${tag}`, 'g')
}

/** Spaces, separators, fences and markup between an opener and a call, and between calls; sticky. */
export function betweenCalls(): RegExp {
  return new RegExp(
    String.raw`(?:${controlToken}|${bareTag}|${fence}|functools(?=\[)|>>>|function\s*(?=<[|｜])|[\s,;[\]]|\}(?=[\s}\]]{0,8}<))*`,
    'y',
  )
}

/** Whether nothing follows the calls except markup, fences and spaces, or a result that the model made up. */
export function isLeftover(text: string): boolean {
  return leftover.test(text)
}

const leftover = new RegExp(
  String.raw`^(?:${controlToken}|${bareTag}|${fence}|\s|[}\]](?=[\s}\]]{0,8}(?:<|$)))*(?:$|<\/?tool_response>|<\|im_start\|>|<\|start_header_id\|>|Observation:)`,
)

/** True if a mark is only spoken of: in quotes or code, or as a word of a sentence. */
export function isMention(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start)
  const after = text.slice(end, end + 40)
  if (/[`"'“”«(]$/.test(before) && /^[\w ]*[`"'“”»)]/.test(after)) return true
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isWord = /\p{L}[,;:]? $/u.test(line) && /^(?:[.,;:!?)]|$| ?[,.]| (?=[\p{Ll}\d(]))/u.test(after)
  return isWord || isInCode(text, start)
}

/** Within a fence that is open there, or in a code span. */
export function isInCode(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 20_000), at)
  if ((before.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1) return true
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return (line.replace(/`{3,}/g, '').match(/`/g)?.length ?? 0) % 2 === 1
}

function literally(text: string): string {
  return text.replace(/[|[\](){}.*+?^$\\]/g, '\\$&')
}
