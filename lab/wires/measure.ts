import { judgeRow } from './judge.ts'
import { type Cut, playRow } from './play.ts'
import type { WireRow } from './rows.ts'

export interface WireResult {
  row: WireRow
  wrong: string[]
}

/** Plays every row in every way it can arrive. `isUnseen`: texts of families that nobody has read before. */
export async function measureWires(rows: readonly WireRow[], isUnseen: boolean): Promise<WireResult[]> {
  const results: WireResult[] = []
  for (const row of rows) {
    let wrong: string[] = []
    for (const [cut, stream] of waysOf(row)) {
      wrong = judgeRow(row, await playRow(row, cut, stream), isUnseen).map((what) => `${cut}: ${what}`)
      if (wrong.length > 0) break
    }
    results.push({ row, wrong })
  }
  return results
}

function waysOf({ form, status, expected, body = '' }: WireRow): [Cut, boolean][] {
  if (form === 'plain') return [['whole', false]]
  if (form === 'raw-text') {
    return [
      ['whole', false],
      ['whole', true],
    ]
  }
  const ways: [Cut, boolean][] = [
    ['whole', true],
    ['bytes', true],
  ]
  const ends = /"finish_reason": ?"/.test(body)
  if (status >= 400 || expected.kind === 'error' || !ends) return ways
  return [...ways, ['unmarked', true]]
}

/** `right of total` for each group, largest first. */
function groupBy(results: readonly WireResult[], key: (row: WireRow) => string): [string, number, number][] {
  const groups = new Map<string, [number, number]>()
  for (const { row, wrong } of results) {
    if (row.ambiguous) continue
    const [right, all] = groups.get(key(row)) ?? [0, 0]
    groups.set(key(row), [right + (wrong.length === 0 ? 1 : 0), all + 1])
  }
  return [...groups]
    .map(([name, [right, all]]): [string, number, number] => [name, right, all])
    .sort((a, b) => b[2] - a[2])
}

/** Whether enough is right: 99 % of all wires, 95 % in each provider and in each family. */
export function isEnough(results: readonly WireResult[]): boolean {
  const wires = results.filter(({ row }) => row.form !== 'raw-text')
  const texts = results.filter(({ row }) => row.form === 'raw-text')
  const share = (groups: [string, number, number][], least: number) =>
    groups.every(([, right, all]) => right >= least * all)
  return (
    share(
      groupBy(wires, () => 'all'),
      0.99,
    ) &&
    share(
      groupBy(wires, ({ provider }) => provider),
      0.95,
    ) &&
    share(groupBy(texts, familyOf), 0.95)
  )
}

function familyOf({ family, model }: WireRow): string {
  return family ?? model
}

/** For people: what is right by form, the providers and families where something is not, and what. */
export function reportOf(results: readonly WireResult[]): string {
  const table = (title: string, groups: [string, number, number][]) =>
    `${title}\n${groups.map(([name, right, all]) => `  ${name}: right ${right}/${all} (${((100 * right) / all).toFixed(1)} %)`).join('\n')}`
  const wires = results.filter(({ row }) => row.form !== 'raw-text')
  const texts = results.filter(({ row }) => row.form === 'raw-text')
  const lacking = ([, right, all]: [string, number, number]) => right < all
  const faults = results.filter(({ wrong }) => wrong.length > 0)
  return [
    table(
      'by form',
      groupBy(results, ({ form, expected }) => `${form} ${expected.kind}`),
    ),
    table('providers with faults', groupBy(wires, ({ provider }) => provider).filter(lacking)),
    table('families with faults', groupBy(texts, familyOf).filter(lacking)),
    ...faults.map(({ row, wrong }) => `${row.id} ${row.provider} ${familyOf(row)}: ${wrong.join('; ')}`),
    table(
      'all',
      groupBy(results, () => 'all'),
    ),
  ].join('\n')
}
