import { parameterAt } from '../../core/json-path.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { findRecords } from '../../transcript/known-records.ts'
import { showOpen } from '../../transcript/open-fields.ts'
import { keptArguments, replaces } from '../../transcript/open-items.ts'
import { callValues, namedInput } from '../../wording/call-values.ts'
import type { Run } from './run.ts'

/** Older items that one item tells of, at most: the newest. */
const mostListed = 20

/** Open items of its tool that a new item leaves open, newest first: whoever approves both has been told of both. */
export function stillWaiting(
  run: Run,
  asked: Pick<QuestionEntry, 'toolCallId' | 'toolName' | 'intent'>,
): NonNullable<QuestionEntry['stillWaiting']> {
  const { items, turnStart } = run.state
  return [...items.values()]
    .filter(({ question, turn }) => turn !== turnStart && isBeside(question, asked))
    .map(({ question }) => describe(run, question))
    .reverse()
    .slice(0, mostListed)
}

function isBeside(
  item: QuestionEntry,
  asked: Pick<QuestionEntry, 'toolCallId' | 'toolName' | 'intent'>,
): boolean {
  const waits = item.kind !== 'wait' && !item.outcomeUnknown
  return waits && item.toolName === asked.toolName && !replaces(asked, item)
}

function describe(
  { entries, specifications }: Run,
  item: QuestionEntry,
): NonNullable<QuestionEntry['stillWaiting']>[number] {
  const known = specifications.get(item.toolName)
  const tool = known ?? { name: item.toolName, parameters: {} }
  const args = showOpen(keptArguments(item))
  const names = [...new Set(sourcedValues(tool, args).map(({ path }) => parameterAt(path)))]
  const find = known && findRecords(entries, specifications, known)
  return {
    code: 'still_waiting',
    values: { ...callValues(tool, args, names, find), input: namedInput(tool, args, names) },
    toolCallId: item.toolCallId,
  }
}

/** Calls whose cards stood beside the one of a call: a yes to one of them is no reason to ask about the other. */
export function besideCall({ entries }: Run, toolCallId: string): Set<string> {
  const ids = entries.flatMap((entry) => {
    if (entry.type !== 'question') return []
    const others = entry.stillWaiting?.flatMap((one) => one.toolCallId ?? []) ?? []
    if (entry.toolCallId === toolCallId) return others
    return others.includes(toolCallId) ? [entry.toolCallId] : []
  })
  return new Set(ids)
}
