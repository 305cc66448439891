import type { Point } from './hop.ts'
import type { Random } from './random.ts'

/** What is killed. `tool`: the functions that send mail; `both`: chat as well. */
export const victims = ['chat', 'tool', 'both', 'postgres', 'stack'] as const
export type Victim = (typeof victims)[number]

/** What a mail is sent over. `gmail at once`: an account that may send, but not make drafts. */
export const providers = ['smtp', 'gmail', 'gmail at once'] as const
export type Provider = (typeof providers)[number]

/**
 * How the mail is authorized: by approval, without asking, after a form, without asking by the clock, or by approval once the
 * bell and a digest have told that it waits.
 */
export type Flow = 'approval' | 'allowed' | 'form' | 'schedule' | 'bell'

/**
 * What the model does after a kill: repeats what it reads, calls again, calls with other words, says that it failed.
 */
const manners = ['obeys', 'repeats', 'rewords', 'gives up'] as const
export type Manner = (typeof manners)[number]

/**
 * What the person's client does while the mail is sent. `types too`: answers the card in the chat as well; `has links`: two
 * others decide by links of their own at the same time; `has a link`: one other presses the button of theirs again and again.
 */
const clients = [
  'double click',
  'times out',
  'drops the socket',
  'two tabs',
  'types too',
  'has links',
  'has a link',
] as const
export type Client = (typeof clients)[number]

export interface Strike {
  victim: Victim
  point: Point
}

/** One conversation about one mail, and what goes wrong in it. */
export interface Scenario {
  number: number
  provider: Provider
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
  /** Whether whoever is told what waits fails the first time. */
  isDeaf: boolean
}

/** Where processes are killed: on the way to a provider, or through one of the doors beside the chat. */
export const places = [...providers, 'schedule', 'link', 'bell'] as const
export type Place = (typeof places)[number]

export function placeOf({ provider, flow, client }: Pick<Scenario, 'provider' | 'flow' | 'client'>): Place {
  if (flow === 'schedule' || flow === 'bell') return flow
  return client === 'has a link' && flow !== 'allowed' ? 'link' : provider
}

type Await = readonly [hop: string, nth: number, sides: readonly Point['side'][]]

/** The awaits of each place alone. */
const awaitsOf: Record<Place, readonly Await[]> = {
  smtp: [
    ['smtp data', 1, ['before']],
    ['smtp message', 1, ['before']],
  ],
  gmail: [
    ['rpc note_effect', 1, ['before', 'after']],
    ['gmail drafts', 1, ['before', 'after']],
    ['rpc note_effect', 2, ['before', 'after']],
    ['gmail drafts/send', 1, ['before', 'after']],
  ],
  'gmail at once': [
    ['rpc note_effect', 1, ['before', 'after']],
    ['gmail messages/send', 1, ['before', 'after']],
  ],
  schedule: [
    ['rpc take_due_runs', 1, ['after']],
    ['rpc judge_schedule_time', 1, ['before', 'after']],
    ['rpc begin_turn', 1, ['before', 'after']],
    ['rpc note_schedule_time', 1, ['before', 'after']],
    ['rpc pause_failing_schedule', 1, ['before', 'after']],
  ],
  link: [
    ['rpc open_item_link', 1, ['before', 'after']],
    ['rpc begin_resume', 1, ['before', 'after']],
  ],
  bell: [
    ['rpc take_rings', 1, ['after']],
    ['rpc create_item_link', 1, ['before', 'after']],
    ['ring opened', 1, ['before', 'after']],
    ['rpc note_ring', 1, ['before', 'after']],
    ['rpc take_digests', 1, ['after']],
    ['rpc begin_digest', 1, ['before', 'after']],
    ['ring digest', 1, ['before', 'after']],
    ['rpc note_digest', 1, ['before', 'after']],
    ['ring closed', 1, ['before', 'after']],
  ],
}

/** The awaits of every run, each before its request is sent and after its response arrived. */
export const awaits: readonly Await[] = [
  ['rpc claim_invocation', 1, ['before', 'after']],
  ['tool', 1, ['before', 'after']],
  ['rpc begin_effect', 1, ['before', 'after']],
  ['rpc settle_invocation', 1, ['before', 'after']],
  ['rpc settle_invocation', 2, ['before', 'after']],
  ['model', 1, ['before', 'after']],
  ['rpc finish_run', 1, ['before', 'after']],
]

export const pointsOf = (place: Place): Point[] =>
  [...(place === 'bell' ? [] : awaits), ...awaitsOf[place]].flatMap(([hop, nth, sides]) =>
    sides.map((side) => ({ hop, nth, side })),
  )

/** Scenarios without end. `draw` gives the next kill; `delays` are those of the mail server, in milliseconds. */
export function* scenarios(
  random: Random,
  delays: readonly number[],
  draw: (place: Place) => Strike,
): Generator<Scenario> {
  for (let number = 1; ; number++) {
    const provider = random.pick(providers)
    const flow = random.pick([
      'approval',
      'approval',
      'approval',
      'allowed',
      'form',
      'schedule',
      'bell',
    ] as const)
    const client = random.pick(clients)
    const place = placeOf({ provider, flow, client })
    const strikes = random.pick([1, 1, 2, 3, 5])
    yield {
      number,
      provider,
      strikes: Array.from({ length: strikes }, () => draw(place)),
      flow,
      manner: random.pick(manners),
      client,
      delayMs: random.pick(delays),
      approvesUnknown: random.below(2) === 0,
      isQuiet: random.below(3) === 0,
      isDeaf: random.below(3) === 0,
    }
  }
}
