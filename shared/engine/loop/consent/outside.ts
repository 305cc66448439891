import type { ToolSpecification } from '../../core/tool-specification.ts'
import { readMessageText } from '../../models/protocol/message-text.ts'
import { splitQuoted } from '../../provenance/quoted-text.ts'
import { toolSearchName } from '../../tools/tool-search.ts'
import type { Call, Entry, UserMessage } from '../../transcript/entry.ts'
import { listFiles } from '../../transcript/file-content.ts'
import { typedWords } from '../../transcript/user-content.ts'

/** Whether the model reads anything that the user did not write: tool output, or a file. */
export function hasOutside(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): boolean {
  const calls = new Map<string, Call>()
  return entries.some((entry) => {
    if (entry.type === 'call') calls.set(entry.toolCallId, entry)
    if (entry.type === 'user-message') {
      return bringsOutside(entry)
    }
    if (entry.type !== 'result' || entry.tries === 0) return false
    const call = calls.get(entry.toolCallId)
    // What the search finds are descriptions that the agent has in any case.
    if (call?.toolName === toolSearchName) return false
    return call?.effect === 'read' || tools.get(call?.toolName ?? '')?.private === true
  })
}

/** Files, quotations in the message, and output of tools elsewhere. */
function bringsOutside(message: UserMessage): boolean {
  const { content, earlier = [] } = message
  const said = earlier.filter(({ role }) => role === 'user').map((one) => readMessageText(one.content))
  const isQuoting = [...said, typedWords(content)].some((text) => splitQuoted(text).quoted !== '')
  return isQuoting || listFiles(message).length > 0 || earlier.some(({ role }) => role === 'tool')
}
