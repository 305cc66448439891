import { readJsonText } from '../../core/json-value.ts'
import { readMembers } from './call-members.ts'
import type { CallReader, ReadContext } from './call-object.ts'
import { writeUntyped } from './untyped-value.ts'

/** Calls that are elements of XML. */
export const elementReaders: readonly CallReader[] = [readFunction, readInvoke]

/**
 * `<function=name>{…}</function>` (Llama; Groq omits the first `>`), with `<parameter=key>value</parameter>`
 * instead of an object (Qwen3-Coder).
 */
function readFunction(text: string, start: number, context: ReadContext): ReturnType<CallReader> {
  const opening = /<function=\s*"?([\w.-]+)"?\s*>?\s*/y
  opening.lastIndex = start
  const name = opening.exec(text)?.[1]
  if (name === undefined) return undefined
  return readBody(text, { start, inside: opening.lastIndex, name, closing: '</function>' }, context)
}

/** `<invoke name="…">` with `<parameter name="…">` (Claude, MiniMax, Step, DeepSeek's markup language). */
function readInvoke(text: string, start: number, context: ReadContext): ReturnType<CallReader> {
  const opening =
    /<([^\s<>=/]{0,30}(?:invoke|function|tool|call|action))\s[^<>]{0,100}?name=["']?([^\s"'<>]+)["']?[^<>]{0,100}>\s*/iy
  opening.lastIndex = start
  const found = opening.exec(text)
  const name = found?.[2]
  // Arguments may also stand in attributes, which nobody documents.
  if (name === undefined || found === null || otherAttribute.test(found[0])) return undefined
  return readBody(text, { start, inside: opening.lastIndex, name, closing: `</${found[1]}>` }, context)
}

const otherAttribute = /\s(?!name=|id=|type=|string=)[\w:-]+=|\/>\s*$/

function readBody(
  text: string,
  { start, inside, name, closing }: { start: number; inside: number; name: string; closing: string },
  { typesOf }: ReadContext,
): ReturnType<CallReader> {
  const found = closingAt(text, inside, closing)
  const isClosed = found >= 0
  const end = isClosed ? found + closing.length : text.length
  const body = text.slice(inside, isClosed ? found : text.length)
  if (parameterStart.test(body))
    return { start, end, name, rawArguments: readParameters(body, isClosed, (key) => typesOf(name, key)) }
  const members = isClosed ? readElements(body.trim(), (key) => typesOf(name, key)) : undefined
  if (members !== undefined) return { start, end, name, rawArguments: JSON.stringify(members) }
  const object = readMembers(body, 0)
  // Words after a tag that is never closed are prose.
  if (object === undefined && !isClosed && body.trim() !== '') return undefined
  return {
    start,
    end,
    name,
    rawArguments: object === undefined ? body.trim() || (isClosed ? '{}' : '') : body.slice(0, object.end),
  }
}

const longestNesting = 16

/** Elements called like the parameters (MiniMax M3), also nested; those of a list are called `item`. */
function readElements(body: string, types: (key: string) => readonly string[], depth = 0): unknown {
  const element = /\s*<([A-Za-z_][\w.-]{0,60})>([\s\S]*?)<\/\1>\s*/y
  const members: [string, unknown][] = []
  while (element.lastIndex < body.length) {
    const [, key, value = ''] = element.exec(body) ?? []
    if (key === undefined || key === '__proto__' || members.length >= 64) return undefined
    const inner = depth < longestNesting && value.trimStart().startsWith('<')
    members.push([
      key,
      (inner && readElements(value, () => [], depth + 1)) || readJsonText(writeUntyped(value, types(key))),
    ])
  }
  if (members.length === 0) return undefined
  if (depth > 0 && members.every(([key]) => key === 'item')) return members.map(([, value]) => value)
  return new Set(members.map(([key]) => key)).size < members.length ? undefined : Object.fromEntries(members)
}

/** Where a body ends: a value may hold the closing tag too, but then words follow it, not markup. */
function closingAt(text: string, inside: number, closing: string): number {
  const first = text.indexOf(closing, inside)
  const next = first < 0 ? -1 : text.indexOf(`<${closing.slice(2, -1)}`, first)
  for (let at = first; at >= 0; at = text.indexOf(closing, at + 1)) {
    if (next >= 0 && next < at) break
    if (/^\s*(?:$|[<[\]{},])/.test(text.slice(at + closing.length, at + closing.length + 40))) return at
  }
  return first
}

const parameterStart = /^<[^\s<>=/]{0,30}param(?:eter)?(?:=|\s[^<>]*name=)/i
/** A value may hold the closing tag too, but then neither a tag nor the end follows it. */
const parameter =
  /<([^\s<>=/]{0,30}param(?:eter)?)(?:="?([^"<>]+?)"?|\s[^<>]*?name=["']?([^\s"'<>]+)["']?([^<>]*))>(<!\[CDATA\[[\s\S]*?\]\]>|[\s\S]*?)(?:<\/\1>(?=\s*(?:<|$))|(?=<\1[=\s])|$)/gi

/** Texts by name, including repeated names; cut where the call was cut. */
function readParameters(body: string, isClosed: boolean, types: (key: string) => readonly string[]): string {
  const members = [...body.matchAll(parameter)].map(([, , short, long, rest = '', value = '']) => {
    const name = (short ?? long ?? '').trim()
    const key = JSON.stringify(name)
    // DeepSeek says which values are texts.
    if (/string=["']false["']/.test(rest) && readJsonText(value) !== undefined)
      return `${key}:${value.trim()}`
    return `${key}:${writeUntyped(unframed(value), types(name))}`
  })
  const whole = `{${members.join(',')}}`
  return isClosed ? whole : whole.slice(0, -2)
}

/** Some templates put values on lines of their own, or into CDATA. */
function unframed(value: string): string {
  if (value.startsWith('<![CDATA[')) return value.slice(9).replace(/\]\]>$/, '')
  return value.startsWith('\n') ? value.slice(1).replace(/\n$/, '') : value
}
