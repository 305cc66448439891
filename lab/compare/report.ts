import type { ComparisonResult, LibraryFigures } from '../../shared/engine/compare/compare-libraries.ts'

const figures: [name: string, show: (of: LibraryFigures) => string][] = [
  ['succeeded', ({ successRate }) => `${Math.round(successRate * 100)} %`],
  ['calls of tools', ({ attempts }) => attempts.toFixed(1)],
  ['tokens', ({ tokens }) => tokens.toFixed(0)],
  ['time', ({ latencyMs }) => `${latencyMs.toFixed(0)} ms`],
]

/** Both libraries as a Markdown table, and in how many runs only one of them succeeded. */
export function describeComparison({ a, b, runs }: ComparisonResult): string {
  const onlyOf = (one: 'a' | 'b', other: 'a' | 'b') =>
    runs.filter((run) => run[one].successRate > run[other].successRate).length
  return [
    `| means of ${runs.length} runs | a | b |`,
    '|---|---|---|',
    ...figures.map(([name, show]) => `| ${name} | ${show(a)} | ${show(b)} |`),
    '',
    `Only a succeeded in ${onlyOf('a', 'b')}, only b in ${onlyOf('b', 'a')}.`,
  ].join('\n')
}
