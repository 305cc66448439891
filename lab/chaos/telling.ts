import { pause } from '../../support/slow-mail-server.ts'
import type { Page, Part, Person } from './person.ts'
import type { World } from './world.ts'

/** A write that was or may have been carried out. */
interface Done {
  toolCallId: string
  status: string
}

const partsOf = (page: Page): Part[] => page.messages.flatMap(({ parts }) => parts)

/** What a card says after a decision, whatever its outcome. */
const saysNothing = /^This was already decided\./

/** Whether a part of a message says what became of its call: of one that succeeded, that it did. */
function tells({ toolCallId, state, errorText = '' }: Part, done: Done): boolean {
  if (toolCallId !== done.toolCallId) return false
  if (state === 'output-available') return true
  if (done.status === 'succeeded') return false
  return state === 'output-denied' || (state === 'output-error' && !saysNothing.test(errorText))
}

/** Writes that neither the stored messages nor the open items mention. Read-only; undefined if the server is down. */
async function findUntold(world: World, person: Person): Promise<Done[] | undefined> {
  const [page, open] = await Promise.all([person.page(), person.open()])
  if (!page || !open) return undefined
  const done = await findDone(world, person)
  const asked = new Set([...page.pending, ...open].map(({ toolCallId }) => toolCallId))
  const parts = partsOf(page)
  return done.filter((write) => !asked.has(write.toolCallId) && !parts.some((part) => tells(part, write)))
}

async function findDone(world: World, { userId, conversationId }: Person): Promise<Done[]> {
  const rows = await world.query(
    (sql) => sql<Done[]>`
      select tool_call_id as "toolCallId", status from askback.tool_executions
      where user_id = ${userId} and conversation_id = ${conversationId} and idempotency_key is not null
        and (status in ('unknown', 'succeeded') or (status = 'running' and lease_expires_at < clock_timestamp()))`,
  )
  return [...rows]
}

/** Writes that may have been carried out, and of which nobody will ever know. */
export async function countUnknown(world: World, person: Person): Promise<number> {
  return (await findDone(world, person)).filter(({ status }) => status !== 'succeeded').length
}

/** Whether a run or a write of the conversation holds a lease. */
async function isAtWork(world: World, { userId, conversationId }: Person): Promise<boolean> {
  const [row] = await world.query(
    (sql) => sql`
      select exists (
        select 1 from askback.runs
        where user_id = ${userId} and conversation_id = ${conversationId} and status in ('running', 'stopping') and lease_expires_at > clock_timestamp()
      ) or exists (
        select 1 from askback.tool_executions
        where user_id = ${userId} and conversation_id = ${conversationId} and status = 'running' and lease_expires_at > clock_timestamp()
      ) as busy`,
  )
  return row?.busy === true
}

/** Waits until no lease is held; false if that takes longer than any lease. */
export async function isLeft(world: World, person: Person): Promise<boolean> {
  const giveUp = Date.now() + 180_000
  while (await isAtWork(world, person)) {
    if (Date.now() > giveUp) return false
    await pause(300)
  }
  return true
}

/** The writes still unmentioned 2 s after the last lease ended, with nobody posting. */
export async function untoldInTime(world: World, person: Person): Promise<Done[]> {
  for (;;) {
    await isLeft(world, person)
    const until = Date.now() + 2_000
    for (;;) {
      const asked = Date.now()
      const untold = await findUntold(world, person)
      if (untold?.length === 0) return []
      // The clock has gone on with it.
      if (await isAtWork(world, person)) break
      if (untold && asked >= until) return untold
      await pause(700)
    }
  }
}

/** Nobody presses Stop here. */
const claimsStop = /^Stopped\./m
const claimsDoubt = /may have been/

/**
 * Sentences that were told and are not true: that somebody has stopped it, or that something may have been done that no
 * function was ever asked to do.
 */
export async function findFalse(world: World, person: Person): Promise<string[]> {
  const { userId, conversationId } = person
  const [row] = await world.query(
    (sql) => sql`
      select exists (
        select 1 from askback.tool_executions
        where user_id = ${userId} and conversation_id = ${conversationId} and delivery_id is not null
      ) as delivered`,
  )
  const page = await person.certainPage()
  const texts = [...person.told, ...partsOf(page).map(({ text, errorText }) => text ?? errorText ?? '')]
  return texts.filter((text) => claimsStop.test(text) || (claimsDoubt.test(text) && row?.delivered !== true))
}

/** The product's own texts about runs that did nothing. */
const saysStopped = /^(?:This was stopped|Stopped\.|This was interrupted)/

/** Whether the conversation or an answer says that a mail was not sent, or asks about it. */
export function saysNotSent(page: Page, { heard }: Person): boolean {
  return (
    page.pending.length > 0 ||
    heard.some((text) => saysStopped.test(text)) ||
    partsOf(page).some(
      ({ state, text = '' }) =>
        state === 'output-error' || state === 'output-denied' || saysStopped.test(text),
    )
  )
}
