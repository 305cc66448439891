import { decisionOn } from '../../support/decision.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { act } from './client.ts'
import { showPoint } from './hop.ts'
import { addressOf, markOf, ScriptedModel } from './model.ts'
import { type Ask, Person } from './person.ts'
import type { Resident } from './resident.ts'
import { findRung } from './rung.ts'
import { placeOf, type Scenario, type Strike } from './scenario.ts'
import type { Tally } from './tally.ts'
import { countUnknown, findFalse, isLeft, saysNotSent, untoldInTime } from './telling.ts'
import type { World } from './world.ts'

/** The outcome of a scenario. */
export interface Verdict {
  scenario: Scenario
  /** What was killed, in order. */
  struck: Strike[]
  mails: number
  wishes: number
  doubled: number
  lost: number
  untold: number
  /** Sentences that are not true. */
  untrue: number
  blocked: number
  /** Drafts that stay in the mailbox, of mails that count as not sent. */
  left: number
  /** Requests of the bell that were heard, and digests. */
  rings: number
  digests: number
  diary: string[]
}

/** How often a person comes back at most. */
const mostReturns = 25
/** How often a person approves what may already have happened. */
const mostAgain = 2

export async function runScenario(
  world: World,
  tally: Tally,
  resident: Resident,
  scenario: Scenario,
): Promise<Verdict> {
  const { number, flow, delayMs, isDeaf } = scenario
  const { user } = resident
  const model = new ScriptedModel(scenario)
  world.inhabitants.set(markOf(number), { userId: user.id, model, delayMs, isDeaf })
  const person = new Person(world, resident, scenario)
  const ask = await person.begin()
  model.wasStruck = false
  const struck: Strike[] = []
  const [...strikes] = scenario.strikes
  const setStrike = (isFirst: boolean) => {
    const strike = strikes.shift()
    if (!strike) return
    const { victim, point } = strike
    // Where nobody is asked in between, the model has called the tool before.
    const nth =
      isFirst && point.hop === 'model' && (flow === 'allowed' || flow === 'schedule') ? 2 : point.nth
    world.strikes.set(user.id, { ...point, nth }, async () => {
      person.note(`${victim} dies ${showPoint(point)}`)
      struck.push(strike)
      tally.add(placeOf(scenario), strike)
      await world.kill(victim)
      setStrike(false)
    })
  }
  setStrike(true)
  await person.letRing()
  person.wish('the mail')
  await person.letCome()
  await act(scenario.client, person, ask)
  let untold = scenario.isQuiet ? await untoldInTime(world, person) : []
  await comeBack(world, person, scenario, ask)
  const rung = await findRung(world, person)
  world.strikes.drop(user.id)
  if (untold.length === 0) untold = await untoldInTime(world, person)
  for (const { toolCallId, status } of untold) person.note(`UNTOLD: ${toolCallId}, ${status}`)
  if (untold.length > 0) person.note(JSON.stringify(await person.page()))
  const { mails, wishes, blocked } = person
  const doubled = Math.max(0, mails - wishes.length)
  for (const line of rung.wrong) person.note(line)
  if (doubled > 0) person.note(`DOUBLED: ${mails} mails for ${wishes.length} wishes`)
  const untrue = await findFalse(world, person)
  for (const text of untrue) person.note(`NOT TRUE: ${text}`)
  const lost = await countLost(person)
  const left = await countLeft(world, person, number)
  if (left > 0) person.note(`LEFT: ${left} drafts`)
  world.inhabitants.delete(markOf(number))
  return {
    scenario,
    struck,
    mails,
    wishes: wishes.length,
    doubled: doubled + rung.doubled,
    lost: lost + rung.lost,
    untold: untold.length + rung.untold,
    untrue: untrue.length,
    blocked: blocked.length,
    left,
    rings: rung.rings,
    digests: rung.digests,
    diary: person.diary,
  }
}

/** The person reloads, repeats their wish and decides on cards, until nothing is open. */
async function comeBack(
  world: World,
  person: Person,
  { number, approvesUnknown }: Scenario,
  first: Ask,
): Promise<void> {
  let again = 0
  await person.hasCome()
  await person.send(first)
  for (let returns = 1; returns <= mostReturns; returns++) {
    if (!(await isLeft(world, person))) person.note('somebody works on it for minutes')
    for (const ask of [...person.unanswered]) await person.send(ask)
    const page = await person.certainPage()
    const [item] = page.pending.filter(({ type }) => type !== 'wait')
    if (!item) {
      if (page.status === 'running' || page.pending.length > 0) {
        await pause(500)
        continue
      }
      // Repeating it changes nothing now.
      await person.send(first)
      if ((await person.certainPage()).pending.length === 0 && person.unanswered.size === 0) return
      continue
    }
    const last = person.wishes.at(-1)
    if (last) last.told = true
    const isAgain = item.reason === 'unknown' || item.reason === 'repetition'
    if (isAgain && (!approvesUnknown || again >= mostAgain)) {
      person.note(`denies "${item.question}"`)
      await person.send({ path: `/${person.conversationId}/approval`, body: decisionOn(item, 'deny') })
      continue
    }
    person.note(`says yes to "${item.question}"`)
    if (isAgain) {
      again++
      person.wish('it again', item.reason === 'unknown')
    }
    const ask = person.answerTo(item)
    await Promise.all([person.send(ask), person.send(ask)])
  }
  person.note(`still not over for ${addressOf(number)}`)
}

/** The drafts that stay, except those of mails of which the person was told that they may have been sent. */
async function countLeft(world: World, person: Person, number: number): Promise<number> {
  for (let tries = 1; ; tries++) {
    const left = world.draftsTo(addressOf(number))
    // Somebody may be deleting it.
    if (left === 0 || tries === 10) return Math.max(0, left - (await countUnknown(world, person)))
    await pause(500)
  }
}

/** Wishes for which there is neither a mail nor any mention. */
async function countLost(person: Person): Promise<number> {
  const { wishes, mails } = person
  const page = await person.certainPage()
  const says = saysNotSent(page, person)
  return wishes.filter(({ mailsBefore, told }, index) => {
    const mailsAfter = wishes[index + 1]?.mailsBefore ?? mails
    const isLost = mailsAfter === mailsBefore && !told && !says
    if (isLost) person.note(`LOST: wish ${index + 1}; ${JSON.stringify(page)}`)
    return isLost
  }).length
}
