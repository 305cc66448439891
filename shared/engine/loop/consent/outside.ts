import { callKey } from '../../core/canonical-json.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { readMessageText } from '../../models/protocol/message-text.ts'
import { splitQuoted } from '../../provenance/quoted-text.ts'
import { toolSearchName } from '../../tools/tool-search.ts'
import type { Call, Entry, QuestionEntry, UserMessage } from '../../transcript/entry.ts'
import { listFiles } from '../../transcript/file-content.ts'
import { typedWords } from '../../transcript/user-content.ts'
import { parametersIn } from '../../wording/fill-template.ts'

type Arguments = Record<string, unknown>

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

/** Whether a call deletes or overwrites: all calls of its tool, or those with certain values. */
export function isDestructive({ destructive }: ToolSpecification, args: Arguments): boolean {
  if (destructive === undefined || destructive === true) return destructive === true
  return Object.entries(destructive).some(([name, values]) => values.includes(args[name]))
}

/** The target of a destructive call: its tool and the arguments that `confirm` names, or all of them without it. */
export function targetOf({ name, confirm = '' }: ToolSpecification, args: Arguments): string {
  const told = parametersIn(confirm)
  const named = Object.entries(args).filter(([key]) => told.includes(key))
  return callKey(name, told.length > 0 ? Object.fromEntries(named) : args)
}

/** Whether a person has approved the same since their message. */
export function wasAllowed(
  tool: ToolSpecification,
  args: Arguments,
  entriesOfTurn: readonly Entry[],
): boolean {
  const target = targetOf(tool, args)
  const asked = new Map<string, QuestionEntry>()
  return entriesOfTurn.some((entry) => {
    if (entry.type === 'question') asked.set(entry.toolCallId, entry)
    if (entry.type !== 'decision' || entry.decision !== 'approve') return false
    const question = asked.get(entry.toolCallId)
    if (question?.reason !== 'destructive' || question.toolName !== tool.name) return false
    return targetOf(tool, entry.input ?? question.arguments) === target
  })
}
