import { readJsonText } from '../../core/json-value.ts'
import { type MemberList, readMembers } from './call-members.ts'

/** A call that was found: its position and contents. */
export interface FoundCall {
  start: number
  end: number
  name: string
  rawArguments: string
}

/** A text with more of them contains no calls; this also bounds the time for hostile texts. */
export const mostCalls = 64

export interface FoundCalls {
  calls: FoundCall[]
  start: number
  end: number
}

/** The names that models use for the two parts of a call. */
export const nameKeys = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action']
const argumentKeys = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'params']
const companionKeys = ['id', 'type', 'call_id', 'tool_call_id']
export const callKeys = [...nameKeys, ...argumentKeys, ...companionKeys]

/** The call that the JSON object at `start` describes; `tagged` allows a call without arguments. */
export function readCallObject(text: string, start: number, tagged: boolean): FoundCall | undefined {
  const object = readMembers(text, start, callKeys)
  if (object === undefined) return undefined
  const call = callFromMembers(object, tagged)
  return call && { ...call, start, end: object.end }
}

function callFromMembers(
  object: MemberList,
  tagged: boolean,
): { name: string; rawArguments: string } | undefined {
  const rest = object.members.filter(({ key }) => !companionKeys.includes(key))
  // {"type": "function", "function": {"name": …, "arguments": …}}
  const [only] = rest
  if (rest.length === 1 && only?.key === 'function' && only.raw.startsWith('{')) {
    const inner = readMembers(only.raw, 0, callKeys)
    return inner && callFromMembers(inner, tagged)
  }
  const nameMember = rest.find(({ key }) => nameKeys.includes(key))
  const name = nameMember && readText(nameMember.raw)
  if (name === undefined) return undefined
  const argumentMember = rest.find(({ key }) => argumentKeys.includes(key))
  if (rest.length !== (argumentMember === undefined ? 1 : 2)) return undefined
  if (argumentMember === undefined) return tagged ? { name, rawArguments: '' } : undefined
  const { raw } = argumentMember
  if (raw.startsWith('"')) {
    const decoded = readText(raw)
    const isCall = decoded !== undefined && (tagged || decoded.trimStart().startsWith('{'))
    return isCall ? { name, rawArguments: decoded } : undefined
  }
  return raw.startsWith('{') || tagged ? { name, rawArguments: raw } : undefined
}

function readText(raw: string): string | undefined {
  if (/^'[^'\\]*'$/.test(raw)) return raw.slice(1, -1)
  const value = readJsonText(raw)
  return typeof value === 'string' ? value : undefined
}
