import type { ToolSpecification } from '../core/tool-specification.ts'
import { readMessageText } from '../models/protocol/message-text.ts'
import { splitQuoted } from '../provenance/quoted-text.ts'
import { hasOtherText } from '../provenance/trusted-output.ts'
import { toolSearchName } from '../tools/tool-search.ts'
import type { Call, Entry, Result, UserMessage } from './entry.ts'
import { listFiles } from './file-content.ts'
import { typedWords } from './user-content.ts'

export interface OutsideFor {
  mayTrust: boolean
  intent?: number
}

/**
 * Whether the model reads anything that the user did not write: tool output, a file, or a call of a program. `mayTrust`: output of which a
 * tool's author vouches for every text does not count. `intent`: what a tool has said against calls of this intent does
 * not count either, because it is trusted with its own call.
 */
export function hasOutside(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  { mayTrust, intent }: OutsideFor,
): boolean {
  const calls = new Map<string, Call>()
  return entries.some((entry) => {
    if (entry.type === 'call') calls.set(entry.toolCallId, entry)
    if (entry.type === 'client-call') return true
    if (entry.type === 'user-message') return bringsOutside(entry)
    if (entry.type !== 'result') return false
    const call = calls.get(entry.toolCallId)
    if (!entry.result.ok && intent !== undefined && call?.intent === intent) return false
    const tool = tools.get(call?.toolName ?? '')
    return mayTrust ? isFromOutside(entry, call, tool) : isForeign(entry, call, tool)
  })
}

/** Whether a result says anything for which nobody here vouches. */
export function isFromOutside(
  entry: Result,
  call: Call | undefined,
  tool: ToolSpecification | undefined,
): boolean {
  if (!isForeign(entry, call, tool)) return false
  const { result } = entry
  return !(result.ok && tool?.trustedOutput && !hasOtherText(result.data, tool.trustedOutput))
}

/** Whether a result comes from elsewhere. */
function isForeign({ tries }: Result, call: Call | undefined, tool: ToolSpecification | undefined): boolean {
  // What the search finds are descriptions that the agent has in any case.
  if (tries === 0 || call?.toolName === toolSearchName) return false
  return call?.effect === 'read' || tool?.private === true
}

/** Files, quotations in the message, and output of tools elsewhere. */
function bringsOutside(message: UserMessage): boolean {
  const { content, cut, earlier = [], olderSaid = [] } = message
  const said = earlier.filter(({ role }) => role === 'user').map((one) => readMessageText(one.content))
  const whole = [...olderSaid, ...said, ...(cut ? [] : [typedWords(content)])]
  const isQuoting = cut?.quotes || whole.some((text) => splitQuoted(text).quoted !== '')
  return isQuoting || listFiles(message).length > 0 || earlier.some(({ role }) => role === 'tool')
}
