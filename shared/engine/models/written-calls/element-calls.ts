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
    /<([^\s<>=/]{0,30}(?:invoke|function|tool|call|action))\s[^<>]{0,100}?name=["']([^"'<>]+)["'][^<>]{0,100}>\s*/iy
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
  const found = text.indexOf(closing, inside)
  const isClosed = found >= 0
  const end = isClosed ? found + closing.length : text.length
  const body = text.slice(inside, isClosed ? found : text.length)
  if (parameterStart.test(body))
    return { start, end, name, rawArguments: readParameters(body, isClosed, (key) => typesOf(name, key)) }
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

const parameterStart = /^<[^\s<>=/]{0,30}param(?:eter)?(?:=|\s[^<>]*name=)/i
const parameter =
  /<([^\s<>=/]{0,30}param(?:eter)?)(?:="?([^"<>]+?)"?|\s[^<>]*?name=["']([^"'<>]+)["']([^<>]*))>([\s\S]*?)(?:<\/\1>|(?=<\1[=\s])|$)/gi

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

/** Some templates put values on lines of their own. */
function unframed(value: string): string {
  return value.startsWith('\n') ? value.slice(1).replace(/\n$/, '') : value
}
