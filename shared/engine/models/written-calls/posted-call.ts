import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { wireName } from '../protocol/wire-names.ts'
import { readMembers } from './call-members.ts'
import { isInCode, isLeftover } from './marks.ts'
import { speakAboutCall } from './words-before-call.ts'

/** The last segment of a path, before whatever ends an address in code, commands and requests. */
const paths = /\/([\w.-]{1,64})(?=["'`\s]|$)/g
/** Characters between an address and what is sent there; addresses beyond so many are left alone. */
const near = 300
const most = 64

/**
 * Where a request begins, in any language, whose address ends with an offered tool and which sends all that the tool requires
 * and nothing else: `POST /tools/search`, `curl`, `fetch(…)`. It is the end of the text. Undefined if there is none.
 */
export function findPostedCall(text: string, tools: readonly ToolSpecification[]): number | undefined {
  let tries = 0
  for (const { index, 0: path, 1: name } of text.matchAll(paths)) {
    const tool = tools.find((one) => one.name === name || wireName(one.name) === name)
    if (tool === undefined) continue
    if (++tries > most) return undefined
    const from = index + path.length
    const open = text.slice(from, from + near).indexOf('{"')
    const object = open < 0 ? undefined : readMembers(text, from + open)
    if (!object?.closed || !fits(readJsonText(text.slice(from + open, object.end)), tool)) continue
    const start = text.lastIndexOf('\n', index) + 1
    const isEnd = isLeftover(text.slice(object.end).replace(/^["'`)\]};\s]+/, ''))
    if (isEnd && !isInCode(text, index) && !speakAboutCall(text.slice(0, start).trimEnd(), false))
      return start
  }
  return undefined
}

function fits(value: unknown, { parameters }: ToolSpecification): boolean {
  if (!isObject(value) || Object.keys(value).length === 0) return false
  const { properties = {}, required = [] } = parameters
  return (
    Object.keys(value).every((key) => Object.hasOwn(properties, key)) &&
    required.every((key) => Object.hasOwn(value, key))
  )
}
