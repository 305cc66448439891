import type { Flood, FloodResult } from './floods.ts'

const names: Record<Flood, string> = {
  turns: '60 short turns a second',
  steps: 'steps of 1,500 calls, one after another',
  streams: '200 streams',
  files: 'three 5-MiB files a second',
}

/** Whether the other user waits at most twice as long as before. A control has no goal. */
export function isKept({ isControl, before, during }: FloodResult): boolean {
  return isControl || (during.failed === 0 && during.p95 <= 2 * before.p95)
}

export function renderResults(results: readonly FloodResult[]): string {
  const rows = results.map(({ flood, isControl, before, during, answered, refused }) => {
    const name = isControl ? `${names[flood]}, refused at once, for comparison` : names[flood]
    const ratio = (during.p95 / before.p95).toFixed(2)
    return `| ${name} | ${answered} | ${refused} | ${Math.round(before.p95)} ms | ${Math.round(during.p95)} ms | ${ratio}x | ${during.failed} |`
  })
  const head =
    '| one user’s flood | answered | refused or waiting | another user’s p95 before | during | | not answered |'
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n')
}
