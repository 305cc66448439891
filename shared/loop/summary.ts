import type { ToolUse } from './agent-response.ts'

/** An honest account of a run in the product's own words: why it ends, what was done, what was not. */
export function summarize(reason: string, uses: readonly ToolUse[]): string {
  const done = uses.filter((use) => use.ok).map((use) => use.toolName)
  const last = new Map<string, ToolUse>()
  for (const use of uses) last.set(use.toolName, use)
  const failed = [...last.values()].filter((use) => !use.ok)
  const lines = [reason, done.length > 0 ? `Done: ${count(done)}.` : 'Nothing was carried out.']
  if (failed.length > 0) {
    lines.push(
      ...failed.map((use) =>
        `Not done: ${use.toolName.trim() || 'a call without a name'}. ${use.error?.error.replace(/^Question: /, '') ?? ''}`.trim(),
      ),
    )
  }
  return lines.join('\n')
}

function count(names: readonly string[]): string {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, number]) => (number > 1 ? `${name} (${number} times)` : name)).join(', ')
}
