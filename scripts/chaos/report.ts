import { showPoint } from './hop.ts'
import type { Verdict } from './run-scenario.ts'
import { victims } from './scenario.ts'
import type { Tally } from './tally.ts'

const sum = (verdicts: readonly Verdict[], count: (verdict: Verdict) => number) =>
  verdicts.reduce((total, verdict) => total + count(verdict), 0)

const columns: readonly (readonly [string, (verdict: Verdict) => number])[] = [
  ['chats', () => 1],
  ['emails', ({ mails }) => mails],
  ['asked for', ({ wishes }) => wishes],
  ['doubled', ({ doubled }) => doubled],
  ['lost', ({ lost }) => lost],
  ['untold', ({ untold }) => untold],
  ['blocked', ({ blocked }) => blocked],
]

/** A row per victim: its kills, the lowest count at any point, and the conversations that it hit first. */
export function renderTable(verdicts: readonly Verdict[], tally: Tally): string {
  const rows = victims
    .filter((victim) => tally.has(victim))
    .map((victim) => {
      const kills = sum(verdicts, ({ struck }) => struck.filter((one) => one.victim === victim).length)
      const own = verdicts.filter(({ struck }) => struck[0]?.victim === victim)
      return [
        victim,
        ...[kills, tally.fewest(victim), ...columns.map(([, count]) => sum(own, count))].map(String),
      ]
    })
  return [['killed', 'kills', 'at each', ...columns.map(([name]) => name)], ...rows]
    .map((cells) => cells.map((cell, index) => (index ? cell.padStart(10) : cell.padEnd(10))).join(''))
    .join('\n')
}

export function renderTotals(verdicts: readonly Verdict[], kills: number): string {
  const total = (name: string) => sum(verdicts, columns.find(([column]) => column === name)?.[1] ?? (() => 0))
  return `chats ${total('chats')}, kills ${kills}, emails at the server ${total('emails')} of ${total('asked for')} asked for, doubled ${total('doubled')}, lost ${total('lost')}, untold ${total('untold')}, blocked longer than a lease ${total('blocked')}`
}

export const isWrong = ({ doubled, lost, untold, blocked }: Verdict): boolean =>
  doubled + lost + untold + blocked > 0

/** A failed scenario, with what its person saw. */
export function describeVerdict({ scenario, diary }: Verdict): string {
  const { number, strikes, flow, manner, client, delayMs } = scenario
  return [
    `scenario ${number}: ${strikes.map(({ victim, point }) => `${victim} ${showPoint(point)}`).join(', ')}; ${flow}, model ${manner}, client: ${client}, mail server answers after ${delayMs / 1000} s`,
    ...diary.map((line) => `  ${line}`),
  ].join('\n')
}
