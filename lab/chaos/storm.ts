import { pause } from '../../support/slow-mail-server.ts'
import { seededRandom } from './random.ts'
import { makeResident, type Resident } from './resident.ts'
import { runScenario, type Verdict } from './run-scenario.ts'
import { scenarios, type Victim, victims } from './scenario.ts'
import { Tally } from './tally.ts'
import { World } from './world.ts'

export interface StormOptions {
  kills: number
  /** The minimum number of kills of each victim at each point. */
  each?: number
  /** What is killed; by default all kinds. */
  of?: readonly Victim[]
  seed: number
  /** No scenario starts after this. */
  seconds: number
  /** The number of parallel conversations. */
  atOnce?: number
  /** Milliseconds until a mail is confirmed, drawn from these. */
  delays?: readonly number[]
  /** For how many seconds processes stand still, drawn from these. */
  freezes?: readonly number[]
  onVerdict?(verdict: Verdict, struck: Struck): void
}

/** How often processes were killed, and stood still. */
export interface Struck {
  kills: number
  freezes: number
}

/** A breath; most of a lease; longer than a run's lease; longer than a claim's. */
const usualFreezes = [3, 8, 16, 42]

const usualDelays = [
  ...Array(28).fill(0),
  ...Array(6).fill(5_000),
  ...Array(3).fill(26_000),
  ...Array(3).fill(40_000),
]

/** Milliseconds after which a new user takes over: sessions end after an hour. */
const sessionMs = 40 * 60_000

/** Retries sign-ups that fail because something dies. */
async function replaceResident(world: World, goOn: () => boolean): Promise<Resident> {
  for (;;) {
    try {
      return await makeResident(world)
    } catch (cause) {
      if (!goOn()) throw cause
      await pause(500)
    }
  }
}

/** Kills and freezes until every count of kills is reached, with several conversations in parallel on one stack. */
export async function storm(
  options: StormOptions,
): Promise<{ verdicts: Verdict[]; struck: Struck; tally: Tally }> {
  const {
    kills,
    each = 0,
    of = victims,
    seed,
    seconds,
    atOnce = 6,
    delays = usualDelays,
    freezes = usualFreezes,
    onVerdict,
  } = options
  const world = await World.open()
  const tally = new Tally(of)
  const until = Date.now() + seconds * 1000
  const random = seededRandom(seed)
  const plan = scenarios(random, delays, (place) => tally.rare(random, place))
  const verdicts: Verdict[] = []
  const struck = () => ({ kills: world.kills, freezes: world.freezer.freezes })
  const isEnough = () => world.kills >= kills && tally.fewest() >= each
  const goOn = () => !isEnough() && Date.now() < until && !world.fault
  const work = async (first: Resident) => {
    let resident = first
    while (goOn()) {
      const { value: scenario } = plan.next()
      if (!scenario) return
      if (Date.now() - resident.since > sessionMs) resident = await replaceResident(world, goOn)
      const verdict = await runScenario(world, tally, resident, scenario)
      verdicts.push(verdict)
      onVerdict?.(verdict, struck())
    }
  }
  try {
    const residents: Resident[] = []
    while (residents.length < atOnce) residents.push(await makeResident(world))
    world.freeze(seededRandom(seed + 1), freezes)
    await Promise.all(residents.map(work))
    if (world.fault) throw world.fault
    return { verdicts, struck: struck(), tally }
  } finally {
    await world.close()
  }
}
