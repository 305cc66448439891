import { callKey } from '../../core/canonical-json.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Entry, QuestionEntry } from '../../transcript/entry.ts'
import { parametersIn } from '../../wording/fill-template.ts'

type Arguments = Record<string, unknown>

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
