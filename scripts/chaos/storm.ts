import { pause } from '../../tests/support/slow-mail-server.ts'
import { seededRandom } from './random.ts'
import { makeResident, type Resident } from './resident.ts'
import { runScenario, type Verdict } from './run-scenario.ts'
import { scenarios, type Victim, victims } from './scenario.ts'
import { Tally } from './tally.ts'
import { World } from './world.ts'

export interface StormOptions {
  kills: number
  /** How often each victim is killed at each point, at least. */
  each?: number
  /** What is killed: all kinds, unless said. */
  of?: readonly Victim[]
  seed: number
  /** No scenario begins after this. */
  seconds: number
  /** Conversations at one time. */
  atOnce?: number
  /** Milliseconds that the mail server takes to answer, drawn from these. */
  delays?: readonly number[]
  onVerdict?(verdict: Verdict, kills: number): void
}

const usualDelays = [
  ...Array(28).fill(0),
  ...Array(6).fill(5_000),
  ...Array(3).fill(26_000),
  ...Array(3).fill(40_000),
]

/** Milliseconds after which somebody else goes on: a session ends after an hour. */
const sessionMs = 40 * 60_000

/** Whoever signs up while something dies tries again. */
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

/** Kills until it has killed often enough; several conversations go on side by side on one stack. */
export async function storm(
  options: StormOptions,
): Promise<{ verdicts: Verdict[]; kills: number; tally: Tally }> {
  const {
    kills,
    each = 0,
    of = victims,
    seed,
    seconds,
    atOnce = 6,
    delays = usualDelays,
    onVerdict,
  } = options
  const world = await World.open()
  const tally = new Tally(of)
  const until = Date.now() + seconds * 1000
  const random = seededRandom(seed)
  const plan = scenarios(random, delays, () => tally.rare(random))
  const verdicts: Verdict[] = []
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
      onVerdict?.(verdict, world.kills)
    }
  }
  try {
    const residents: Resident[] = []
    while (residents.length < atOnce) residents.push(await makeResident(world))
    await Promise.all(residents.map(work))
    if (world.fault) throw world.fault
    return { verdicts, kills: world.kills, tally }
  } finally {
    await world.close()
  }
}
