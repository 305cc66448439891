import type { Point } from './hop.ts'
import type { Random } from './random.ts'

/** What is killed. `both`: chat and smtp-api. */
export const victims = ['chat', 'smtp-api', 'both', 'postgres', 'stack'] as const
export type Victim = (typeof victims)[number]

/** How the mail is authorized: by approval, without asking, or after a form. */
export type Flow = 'approval' | 'allowed' | 'form'

/**
 * What the model does after a kill: repeats what it reads, calls again, calls with other words, says that it failed.
 */
const manners = ['obeys', 'repeats', 'rewords', 'gives up'] as const
export type Manner = (typeof manners)[number]

/** What the person's client does while the mail is sent. `types too`: answers the card in the chat as well. */
const clients = ['double click', 'times out', 'drops the socket', 'two tabs', 'types too'] as const
export type Client = (typeof clients)[number]

export interface Strike {
  victim: Victim
  point: Point
}

/** One conversation about one mail, and what goes wrong in it. */
export interface Scenario {
  number: number
  /** In order: later kills hit the runs that recover from earlier ones. */
  strikes: Strike[]
  flow: Flow
  manner: Manner
  client: Client
  /** Milliseconds until the mail server responds. */
  delayMs: number
  /** Whether the person approves what may already have happened (otherwise denies it). */
  approvesUnknown: boolean
  /** Whether the person at first only reads, and posts nothing until every write is mentioned. */
  isQuiet: boolean
}

/** The awaits of a run, each before its request is sent and after its response arrived. */
const awaits: readonly (readonly [hop: string, nth: number, sides: readonly Point['side'][]])[] = [
  ['rpc claim_invocation', 1, ['before', 'after']],
  ['tool smtp-api', 1, ['before', 'after']],
  ['rpc begin_effect', 1, ['before', 'after']],
  ['smtp data', 1, ['before']],
  ['smtp message', 1, ['before']],
  ['rpc settle_invocation', 1, ['before', 'after']],
  ['rpc settle_invocation', 2, ['before', 'after']],
  ['model', 1, ['before', 'after']],
  ['rpc finish_run', 1, ['before', 'after']],
]

export const points: readonly Point[] = awaits.flatMap(([hop, nth, sides]) =>
  sides.map((side) => ({ hop, nth, side })),
)

/** Scenarios without end. `draw` gives the next kill; `delays` are those of the mail server, in milliseconds. */
export function* scenarios(
  random: Random,
  delays: readonly number[],
  draw: () => Strike,
): Generator<Scenario> {
  for (let number = 1; ; number++) {
    const flow = random.pick(['approval', 'approval', 'approval', 'allowed', 'form'] as const)
    const strikes = random.pick([1, 1, 2, 3, 5])
    yield {
      number,
      strikes: Array.from({ length: strikes }, draw),
      flow,
      manner: random.pick(manners),
      client: random.pick(clients),
      delayMs: random.pick(delays),
      approvesUnknown: random.below(2) === 0,
      isQuiet: random.below(3) === 0,
    }
  }
}
