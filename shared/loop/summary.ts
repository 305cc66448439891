import type { ToolUse } from './agent-response.ts'

/**
 * An honest account of a run in the product's own words: why it ends, what was done, what was not. `wasActive`: it did
 * something before it waited.
 */
export function summarize(reason: string, uses: readonly ToolUse[], { wasActive = false } = {}): string {
  const done = uses.filter((use) => use.ok).map((use) => use.toolName)
  const last = new Map<string, ToolUse>()
  for (const use of uses) last.set(use.toolName, use)
  const failed = [...last.values()].filter((use) => !use.ok)
  const lines = [reason]
  if (done.length > 0) lines.push(`Done: ${count(done)}.`)
  else if (!failed.some(isUncertain)) lines.push(`Nothing ${wasActive ? 'more ' : ''}was carried out.`)
  for (const use of failed) {
    const name = use.toolName.trim() || 'a call without a name'
    const why = use.error?.error.replace(/^Question: /, '') ?? ''
    lines.push(`${isUncertain(use) ? 'Not certain' : 'Not done'}: ${name}. ${why}`.trim())
  }
  return lines.join('\n')
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
