import { showPoint } from './hop.ts'
import type { Verdict } from './run-scenario.ts'
import { placeOf, places, victims } from './scenario.ts'
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
  ['untrue', ({ untrue }) => untrue],
  ['blocked', ({ blocked }) => blocked],
  ['left', ({ left }) => left],
  ['rings', ({ rings }) => rings],
  ['digests', ({ digests }) => digests],
]

/** A row per place and victim: its kills, the lowest count at any point, and the conversations that it hit first. */
export function renderTable(verdicts: readonly Verdict[], tally: Tally): string {
  const kinds = places.flatMap((place) => victims.map((victim) => ({ place, victim })))
  const rows = kinds
    .filter(({ victim }) => tally.has(victim))
    .map(({ place, victim }) => {
      const all = verdicts.filter(({ scenario }) => placeOf(scenario) === place)
      const kills = sum(all, ({ struck }) => struck.filter((one) => one.victim === victim).length)
      const own = all.filter(({ struck }) => struck[0]?.victim === victim)
      const fewest = tally.fewest({ place, victim })
      return [
        `${place}, ${victim}`,
        ...[kills, fewest, ...columns.map(([, count]) => sum(own, count))].map(String),
      ]
    })
  return [['killed', 'kills', 'at each', ...columns.map(([name]) => name)], ...rows]
    .map((cells) => cells.map((cell, index) => (index ? cell.padStart(10) : cell.padEnd(24))).join(''))
    .join('\n')
}

export function renderTotals(
  verdicts: readonly Verdict[],
  struck: { kills: number; freezes: number },
): string {
  const total = (name: string) => sum(verdicts, columns.find(([column]) => column === name)?.[1] ?? (() => 0))
  return `chats ${total('chats')}, kills ${struck.kills}, freezes ${struck.freezes}, emails at the server ${total('emails')} of ${total('asked for')} asked for, doubled ${total('doubled')}, lost ${total('lost')}, untold ${total('untold')}, untrue ${total('untrue')}, blocked longer than a lease ${total('blocked')}, drafts left behind ${total('left')}, rings heard ${total('rings')}, digests ${total('digests')}`
}

export const isWrong = ({ doubled, lost, untold, untrue, blocked, left }: Verdict): boolean =>
  doubled + lost + untold + untrue + blocked + left > 0

/** A failed scenario, with what its person saw. */
export function describeVerdict({ scenario, diary }: Verdict): string {
  const { number, provider, strikes, flow, manner, client, delayMs, isDeaf } = scenario
  return [
    `scenario ${number}: ${provider}, ${strikes.map(({ victim, point }) => `${victim} ${showPoint(point)}`).join(', ')}; ${flow}, model ${manner}, client: ${client}, mail is confirmed after ${delayMs / 1000} s${isDeaf ? ', whoever is told fails at first' : ''}`,
    ...diary.map((line) => `  ${line}`),
  ].join('\n')
}
