import { readJsonText } from '../../core/json-value.ts'
import { type MemberList, readMembers } from './call-members.ts'

/** A call that was found: its position and contents. */
export interface FoundCall {
  start: number
  end: number
  name: string
  rawArguments: string
}

/** What a reader knows: `tagged` if an opener stands before, which allows a call without arguments. */
export interface ReadContext {
  tagged: boolean
  isTool(name: string): boolean
  /** Types that a parameter may have, if it may have several. */
  typesOf(tool: string, parameter: string): readonly string[]
}

/** What is known of the offered tools. */
export type Offered = Omit<ReadContext, 'tagged'>

export type CallReader = (text: string, start: number, context: ReadContext) => FoundCall | undefined

/** A text with more of them contains no calls; this also bounds the time for hostile texts. */
export const mostCalls = 64

export interface FoundCalls {
  calls: FoundCall[]
  start: number
  end: number
}

/** The names that models use for the two parts of a call. */
export const nameKeys = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action', 'recipient_name']
const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'input',
  'tool_input',
  'action_input',
  'params',
  'kwargs',
]
const companionKeys = ['id', 'type', 'call_id', 'tool_call_id', 'index']
export const callKeys = [...nameKeys, ...argumentKeys, ...companionKeys]

/** The call that the JSON object at `start` describes. */
export function readCallObject(
  text: string,
  start: number,
  { tagged, isTool }: ReadContext,
): FoundCall | undefined {
  if (text[start] !== '{') return undefined
  const object = readMembers(text, start, callKeys)
  if (object === undefined) return readKeyedByName(text, start, isTool)
  const call = callFromMembers(object, tagged)
  return call && { ...call, start, end: object.end }
}

/** `{"search": {"query": "x"}}` (Apertus). */
function readKeyedByName(text: string, start: number, isTool: ReadContext['isTool']): FoundCall | undefined {
  const name = /^\{\s*"([\w.-]{1,64})"\s*:\s*\{/.exec(text.slice(start, start + 120))?.[1]
  if (name === undefined || !isTool(name)) return undefined
  const object = readMembers(text, start)
  const [only] = object?.members ?? []
  if (object?.members.length !== 1 || only === undefined) return undefined
  return { start, end: object.end, name, rawArguments: only.raw }
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
