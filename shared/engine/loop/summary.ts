import { withoutMark } from '../core/question-mark.ts'
import type { ToolUse } from '../transcript/answer.ts'

/** How people read the name of a tool. */
type Title = (toolName: string) => string

/**
 * An honest account of a run in the product's own words: why it ends, what was done, what was not. `goesOn`: it went
 * on from an earlier response, which told what was done until then.
 */
export function summarize(
  reason: string,
  uses: readonly ToolUse[],
  title: Title,
  { goesOn = false } = {},
): string {
  const done = uses.filter((use) => use.ok).map((use) => title(use.toolName))
  const uncertain = uses.filter(isUncertain)
  const last = new Map<string, ToolUse>()
  for (const use of uses) if (!isUncertain(use)) last.set(use.toolName, use)
  const failed = [...last.values()].filter((use) => !use.ok)
  const lines = [reason]
  if (done.length > 0) lines.push(`Done: ${count(done)}.`)
  else if (uncertain.length === 0) lines.push(`Nothing ${goesOn ? 'more ' : ''}was carried out.`)
  lines.push(...uncertain.map((use) => `Not certain: ${explain(use, title)}`))
  lines.push(...failed.map((use) => `Not done: ${explain(use, title)}`))
  return lines.join('\n')
}

function explain({ toolName, error }: ToolUse, title: Title): string {
  const why = withoutMark(error?.error ?? '')
  return `${title(toolName) || 'A call without a name'}. ${why}`.trim()
}

/** A write whose answer was lost, or that still runs elsewhere, may have happened. */
function isUncertain({ error }: ToolUse): boolean {
  return error?.errorType === 'outcome_unknown'
}

function count(names: readonly string[]): string {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, number]) => (number > 1 ? `${name} (${number} times)` : name)).join(', ')
}
