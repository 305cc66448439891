import type { ToolSpecification } from '../../core/tool-specification.ts'
import { wireName } from '../protocol/wire-names.ts'
import { callish, isCallMark, isHtml, isLeftover, isMention, isThoughtMark, markSearch } from './marks.ts'
import type { IsQuoted } from './quoted-sources.ts'
import { speakAboutCall } from './words-before-call.ts'

/** Marks and objects beyond these are left alone, which bounds the time for hostile texts. */
const most = 64
/** Characters behind a mark in which it may name a tool. */
const near = 300

/**
 * Where the markup of a call begins that nobody could read: a mark that speaks of calls or stands before an offered tool's
 * name, or an object that names one. Undefined if there is none; marks that are quoted or spoken of are words.
 */
export function findUnreadMarkup(
  text: string,
  tools: readonly ToolSpecification[],
  isQuoted: IsQuoted,
): number | undefined {
  const names = tools.flatMap(({ name }) => [name, wireName(name)])
  const place =
    findUnreadMark(text, names) ??
    findUnreadObject(text, names) ??
    findUnreadCode(text, names) ??
    findUnreadLine(text, tools)
  if (place === undefined || isQuoted(text.slice(place, blockEnd(text, place)))) return undefined
  return place
}

function blockEnd(text: string, start: number): number {
  const end = text.indexOf('\n\n', start)
  return end < 0 ? text.length : end
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
function findUnreadCode(text: string, names: readonly string[]): number | undefined {
  const code = /^\s*(?:\[\s*|print\(\s*|await\s+|```tool\w*\s+)?([\w.-]+)\s*\(/.exec(text)
  const name = code?.[1]?.split('.').at(-1)
  if (name === undefined || !names.includes(name)) return undefined
  return /[)\]];?\s*(?:```\s*)?$/.test(text) || /^\s*\[/.test(text) ? 0 : undefined
}

/** What hardly stands in words: doubled signs, one before a word, JSON's braces, a label in capitals. */
const machineSign =
  /([<>{}[\]%§|@⟦⟧])\1|[{(]\s*["':]|^\s*[@!§([]\s*\w|\w[\])}]\s*\{|[⟦⟧]|\b[A-Z]+_[A-Z]+:|:\w+ "/

/**
 * A last block that is nothing but a tool's name, a parameter's and its value between signs of any kind, as nobody writes
 * to people; outside a fence and a document.
 */
function findUnreadLine(text: string, tools: readonly ToolSpecification[]): number | undefined {
  const end = text.trimEnd()
  const start = end.lastIndexOf('\n\n') + 1
  const block = end.slice(start)
  if (block.length > 600 || block.includes('```') || !machineSign.test(block)) return undefined
  // Objects are judged by their keys.
  if (/^\s*\[?\s*\{\s*["'}\n]/.test(block) || /<(?:\?xml|!doctype|svg|html)\b/i.test(end)) return undefined
  if ([...block.matchAll(/<[^<>\n]{1,200}>/g)].some(([mark]) => isHtml(mark))) return undefined
  for (const { name, parameters } of tools) {
    if (!mentions(block, [name, wireName(name)])) continue
    const keys = Object.keys(parameters.properties ?? {})
    if (!keys.some((key) => isKey(block, key))) continue
    const rest = block
      .replaceAll(name, ' ')
      .replace(/"[^"]*"|'[^']*'/g, ' ')
      .replace(/[=:|]\s*[\w.-]+/g, ' ')
    const words = rest.match(/\p{L}{2,}/gu)?.filter((word) => !keys.includes(word)) ?? []
    if (
      words.length <= 2 &&
      !/\p{L}[.!?](?:\s|$)/u.test(rest) &&
      !speakAboutCall(end.slice(0, start).trimEnd(), false)
    ) {
      return start
    }
  }
  return undefined
}

/** A parameter's name with a value after it. */
function isKey(text: string, key: string): boolean {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if (/[\w-]/.test(text[at - 1] ?? '')) continue
    if (/^["']?\s*(?:[:=|]|"|')/.test(text.slice(at + key.length, at + key.length + 10))) return true
  }
  return false
}
