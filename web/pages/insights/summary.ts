/** A row of the ledger. */
export interface Execution {
  /** One intent with all its attempts. */
  session_id: string
  run_id: string | null
  tool_name: string
  attempt: number
  status: string
  error_type: string | null
  /** ISO 8601. */
  created_at: string
  settled_at: string | null
}

export interface Usage {
  run_id: string | null
  input_tokens: number | null
  output_tokens: number | null
}

export interface Summary {
  sessions: number
  /** Shares from 0 to 1; null where there is nothing to divide by. */
  firstTry: number | null
  recovered: number | null
  /** From the first attempt to the end of the one that succeeded. */
  medianMs: number | null
  modelCallsPerRun: number
  tokensPerRun: number
  attempts: { attempt: number; calls: number; succeeded: number }[]
  errors: { type: string; tool: string; count: number }[]
  /** Oldest first. */
  days: { day: string; succeeded: number; failed: number }[]
}

/** What the page shows, of rows in any order. */
export function summarise(executions: readonly Execution[], usage: readonly Usage[]): Summary {
  const sessions = [...groupBy(executions, ({ session_id }) => session_id).values()].map(summariseSession)
  const ended = sessions.filter(({ isOver }) => isOver)
  const erred = ended.filter(({ hasErrors }) => hasErrors)
  const runs = new Set(usage.map(({ run_id }) => run_id)).size || 1
  const tokens = usage.reduce((sum, row) => sum + (row.input_tokens ?? 0) + (row.output_tokens ?? 0), 0)
  return {
    sessions: sessions.length,
    firstTry: share(ended, ({ succeeded, hasErrors }) => succeeded && !hasErrors),
    recovered: share(erred, ({ succeeded }) => succeeded),
    medianMs: median(ended.flatMap(({ ms, succeeded }) => (succeeded && ms !== null ? [ms] : []))),
    modelCallsPerRun: usage.length / runs,
    tokensPerRun: tokens / runs,
    attempts: [1, 2, 3].map((attempt) => {
      const rows = executions.filter((row) => row.attempt === attempt)
      return { attempt, calls: rows.length, succeeded: rows.filter(isSuccess).length }
    }),
    errors: countErrors(executions),
    days: countDays(ended),
  }
}

function isSuccess({ status, error_type }: Execution): boolean {
  return status === 'succeeded' && error_type === null
}

function summariseSession(rows: Execution[]) {
  const inOrder = rows.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  const success = inOrder.find(isSuccess)
  const began = inOrder[0]?.created_at ?? ''
  return {
    began,
    succeeded: success !== undefined,
    hasErrors: rows.some(({ error_type }) => error_type !== null),
    isOver: !rows.some(({ status }) => status === 'pending' || status === 'running'),
    ms: success?.settled_at ? Date.parse(success.settled_at) - Date.parse(began) : null,
  }
}

function countErrors(executions: readonly Execution[]): Summary['errors'] {
  const counts = new Map<string, Summary['errors'][number]>()
  for (const { error_type, tool_name } of executions) {
    if (error_type === null) continue
    const key = `${error_type} ${tool_name}`
    const held = counts.get(key) ?? { type: error_type, tool: tool_name, count: 0 }
    counts.set(key, { ...held, count: held.count + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

function countDays(sessions: readonly { began: string; succeeded: boolean }[]): Summary['days'] {
  const days = groupBy(sessions, ({ began }) => began.slice(0, 10))
  return [...days]
    .map(([day, list]) => {
      const succeeded = list.filter((session) => session.succeeded).length
      return { day, succeeded, failed: list.length - succeeded }
    })
    .sort((a, b) => a.day.localeCompare(b.day))
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

function share<T>(list: readonly T[], holds: (one: T) => boolean): number | null {
  return list.length === 0 ? null : list.filter(holds).length / list.length
}

function median(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
