import type { ToolSpecification } from '../../core/tool-specification.ts'
import { wireName } from '../protocol/wire-names.ts'
import { judgeStatement, startsWithType, statementStarts } from './call-statement.ts'
import {
  callish,
  isCallMark,
  isHtml,
  isInCode,
  isLeftover,
  isMention,
  isThoughtMark,
  markSearch,
} from './marks.ts'
import { findPostedCall } from './posted-call.ts'
import type { IsQuoted } from './quoted-sources.ts'
import { announceCall, speakAboutCall, speakAboutIt } from './words-before-call.ts'

/** Marks and objects beyond these are left alone, which bounds the time for hostile texts. */
const most = 64
/** Characters behind a mark in which it may name a tool. */
const near = 300

/**
 * Where the markup of a call begins that nobody could read: a mark that speaks of calls or stands before an offered tool's
 * name, an object that names one, or a statement in no known form. Undefined if there is none; marks that are quoted or spoken of are words.
 */
export function findUnreadMarkup(
  text: string,
  tools: readonly ToolSpecification[],
  { isQuoted, asksForForm }: { isQuoted: IsQuoted; asksForForm?: (() => boolean) | undefined },
): number | undefined {
  const names = tools.flatMap(({ name }) => [name, wireName(name)])
  const place =
    findUnreadMark(text, names) ??
    findUnreadObject(text, names) ??
    findUnreadCode(text, tools) ??
    findUnreadStatement(text, tools, asksForForm)
  if (place === undefined || isQuoted(text.slice(place, blockEnd(text, place)))) return undefined
  // Signs before it belong to it.
  return text.slice(0, place).replace(/[<>[\]{}(|§%@$#~^+=&]+$/, '').length
}

/** The next blank line, unless an object follows. */
function blockEnd(text: string, start: number): number {
  const blank = /\n[ \t]*\n(?!\s*\{)/g
  blank.lastIndex = start
  return blank.exec(text)?.index ?? text.length
}

function findUnreadMark(text: string, names: readonly string[]): number | undefined {
  const marks = markSearch()
  const document = /^\s*(?:<\?xml|<!doctype|<svg|<html)\b/im.exec(text)?.index ?? Number.POSITIVE_INFINITY
  for (let tries = 0; tries < most; ) {
    const mark = marks.exec(text)
    if (mark === null || mark.index > document) return undefined
    const [written] = mark
    const end = marks.lastIndex
    if (isThoughtMark(written) || written.startsWith('</') || isHtml(written)) continue
    const after = text.slice(end, end + near)
    // An element that the sentence goes on about.
    if (written.endsWith('/>') && /^ \p{Ll}/u.test(after)) continue
    const isTag = /^<[A-Za-z｜]/.test(written) && !written.endsWith('|>')
    // Stories, plans and configurations have actions and commands too.
    const isCallish = isTag
      ? isCallMark(written) || (callish.test(/^[^\s=>]+/.exec(written)?.[0] ?? '') && mentions(after, names))
      : callish.test(written) && (isCallMark(written) || mentions(after, names) || !written.startsWith('['))
    const counts =
      (/^\s*[{[]/.test(after) && mentions(after, names)) ||
      (isCallish && (isMachine(after) || (isTag && hasEnd(text, written, end)))) ||
      (isTag
        ? isNameOf(written, names) || (/^\s*[\w.]+\(/.test(after) && startsWithName(after, names))
        : startsWithName(after, names) ||
          mentions(written, names) ||
          (isMachine(after) && mentions(text.slice(Math.max(0, mark.index - 100), mark.index), names)))
    if (!counts) continue
    tries++
    if (!isMention(text, mark.index, end) && !speakAboutCall(text.slice(0, mark.index).trimEnd(), true)) {
      return fromFirstToken(text, mark.index)
    }
  }
  return undefined
}

/** Words between control tokens of one line belong to the markup. */
function fromFirstToken(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1
  const first = text.slice(line, at).search(/<[|｜]/)
  return first < 0 ? at : line + first
}

/** What only a machine reads: an object, a list, another mark, a name with a bracket, or nothing. */
function isMachine(after: string): boolean {
  return /^\s*(?:$|[{[<(])|^[ \t]*\r?\n|^\s*[\w.-]+(?:[({<:]|\s*\n\s*[{<])/.test(after)
}

function hasEnd(text: string, mark: string, from: number): boolean {
  const name = /^<([^\s<>=/]+)/.exec(mark)?.[1]
  return name !== undefined && text.includes(`</${name}`, from)
}

function startsWithName(after: string, names: readonly string[]): boolean {
  const said = /^\s*(?:functions?[.:]|call:|to=)?\s*([\w.-]+)/.exec(after)?.[1]
  return said !== undefined && names.includes(said) && !/^\s*[\w.-]+[ ,.]+[\p{Ll}]/u.test(after)
}

/** True for a tag that is called like a tool, or has its name as an attribute. */
function isNameOf(mark: string, names: readonly string[]): boolean {
  const said = [
    /^<([\w.-]+)/.exec(mark)?.[1],
    ...[...mark.matchAll(/=\s*["']?([\w.-]+)["']?[\s/>]/g)].map(([, value]) => value),
  ]
  return said.some((name) => name !== undefined && names.includes(name))
}

function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const at = text.indexOf(name)
    return at >= 0 && !/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + name.length] ?? '')
  })
}

const calledKey =
  /["'](?:\w*(?:tool|func|call|action|invoke|command|plugin|api|method|operation|recipient|name)\w*)["']\s*:/i
const argumentKey = /["']\w*(?:arg|param|input|kwargs|payload)\w*["']\s*:/i

/** JSON that names an offered tool and arguments, under any keys; a definition of a tool has a description. */
function findUnreadObject(text: string, names: readonly string[]): number | undefined {
  const opening = /(?:^[ \t]*```\w*\s*|^[ \t]*)(?=[{[])/gm
  for (let looks = 0; looks < most; looks++) {
    const match = opening.exec(text)
    if (match === null) return undefined
    const end = objectEnd(text, opening.lastIndex)
    const object = text.slice(opening.lastIndex, end)
    const isCall =
      names.some((name) => object.includes(`"${name}"`) || object.includes(`'${name}'`)) &&
      calledKey.test(object) &&
      argumentKey.test(object) &&
      !/["']description["']\s*:/.test(object)
    const before = text.slice(0, match.index).trimEnd()
    if (isCall && isLeftover(text.slice(end)) && !speakAboutCall(before, false)) return match.index
    opening.lastIndex = Math.max(end, opening.lastIndex + 1)
  }
  return undefined
}

function objectEnd(text: string, start: number): number {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

/** A whole reply that is code which calls an offered tool, and cannot be read. */
function findUnreadCode(text: string, tools: readonly ToolSpecification[]): number | undefined {
  const code = /^\s*(?:\[\s*|print\(\s*|await\s+|```tool\w*\s+)?([\w.-]+)\s*\(/.exec(text)
  const name = code?.[1]?.split('.').at(-1)
  const tool = tools.find((one) => one.name === name || wireName(one.name) === name)
  if (code === null || tool === undefined) return undefined
  // As its definition is written: `search(query, limit)`, `search(query: string)`.
  const given = text.slice(code[0].length)
  const listed = /^[\w, ]+(?=\))/.exec(given)?.[0].split(/, */) ?? []
  const own = tool.parameters.properties ?? {}
  const isDefinition =
    (listed.length > 0 && listed.every((one) => Object.hasOwn(own, one.trim()))) ||
    startsWithType(given.replace(/^\s*\w+\??\s*:/, ''))
  if (isDefinition) return undefined
  return /[)\]];?\s*(?:```\s*)?$/.test(text) || /^\s*\[/.test(text) ? 0 : undefined
}

/** Characters at the end of a text in which a statement may begin, if it is not the text's first one, and in which it is judged. */
const lastPart = 4000
const longestHead = 1000
const wholeFence = /^\s*```(?!\w*(?:tool|call|func|invoke|action))[^\n`]*\n(?=[\s\S]*\n```\s*$)/

/** A call in no known form (`judgeStatement`, `findPostedCall`): the first statement of a text, or one in its last block. */
function findUnreadStatement(
  text: string,
  tools: readonly ToolSpecification[],
  asksForForm = () => false,
): number | undefined {
  const place = findStatement(text, tools) ?? findPostedCall(text, tools)
  return place === undefined || asksForForm() ? undefined : place
}

function findStatement(text: string, tools: readonly ToolSpecification[]): number | undefined {
  const fence = wholeFence.exec(text)?.[0].length ?? 0
  const first = judgeStatement(text.slice(fence, fence + longestHead), tools, true)
  const isAlone = isLeftover(text.slice(blockEnd(text, fence)))
  if (first.isStrange && (first.verdict === 'call' || (first.verdict === 'bare' && isAlone))) {
    return speakAboutIt(text.slice(blockEnd(text, fence))) ? undefined : 0
  }
  const starts = statementStarts()
  starts.lastIndex = Math.max(fence, text.length - lastPart)
  let place: number | undefined
  for (let start = starts.exec(text); start !== null; start = starts.exec(text)) {
    const { index } = start
    const { verdict, isStrange } = judgeStatement(text.slice(index, index + longestHead), tools, true)
    if (verdict !== 'call' || !isStrange || isInCode(text, index)) continue
    place ??= index
    if (!isLeftover(text.slice(blockEnd(text, index)))) continue
    const before = text.slice(0, place).trimEnd()
    const isShown = /^\s*`{3}/.test(text.slice(index)) && !announceCall(before)
    return isShown || speakAboutCall(before, false) ? undefined : place
  }
  return undefined
}
