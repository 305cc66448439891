import { parametersIn } from '../../../words/fill-template.ts'
import { callKey } from '../../core/canonical-json.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Entry, QuestionEntry } from '../../transcript/entry.ts'
import { fillOpenFields } from '../../transcript/open-fields.ts'

type Arguments = Record<string, unknown>

/** Values that say themselves that something is deleted, as the tools of the catalogue call it. */
const deletions: readonly unknown[] = ['delete', 'delete_forever']

/** Whether a call deletes, or changes what is there: as all calls of its tool do, or those with certain values. */
export function destructionOf(
  { destructive }: ToolSpecification,
  args: Arguments,
): 'delete' | 'change' | undefined {
  if (destructive === undefined) return undefined
  if (destructive === true) return 'change'
  if (destructive === 'delete') return 'delete'
  const kinds = Object.entries(destructive).flatMap(([name, values]) => kindOf(values, args[name]) ?? [])
  return kinds.includes('delete') ? 'delete' : kinds[0]
}

function kindOf(
  values: readonly unknown[] | Readonly<Record<string, true | 'delete'>>,
  value: unknown,
): 'delete' | 'change' | undefined {
  if (isList(values)) {
    if (!values.includes(value)) return undefined
    return deletions.includes(value) ? 'delete' : 'change'
  }
  const kind = Object.hasOwn(values, String(value)) ? values[String(value)] : undefined
  return kind === true ? 'change' : kind
}

/** `Array.isArray` does not know read-only lists. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The target of a destructive call: its tool and the arguments that `confirm` names, or all of them without it. */
export function targetOf({ name, confirm = '' }: ToolSpecification, args: Arguments): string {
  const shown = parametersIn(confirm)
  const named = Object.entries(args).filter(([key]) => shown.includes(key))
  return callKey(name, shown.length > 0 ? Object.fromEntries(named) : args)
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
    const isSame = question?.toolName === tool.name
    if (!isSame || (question.reason !== 'destructive' && question.reason !== 'outside')) return false
    const { values = {}, input = question.arguments } = entry
    return targetOf(tool, fillOpenFields(input, question.open, values)) === target
  })
}
