import { pause } from '../../support/slow-mail-server.ts'
import type { Told } from './destination.ts'
import type { Person } from './person.ts'
import type { World } from './world.ts'

/** What became of the bell and of digests in a conversation, counted where they are heard. */
export interface Rung {
  rings: number
  digests: number
  doubled: number
  lost: number
  untold: number
  /** What is wrong, in words. */
  wrong: string[]
}

interface Ring {
  id: string
  type: 'opened' | 'closed'
  itemId: string
  isOver: boolean
  isHeard: boolean
  isClosed: boolean
}

interface Digest {
  id: string
  itemId: string
  isOver: boolean
  isBegun: boolean
  /** Whether what came of its request, or that nobody knows, was stored. */
  isNoted: boolean
}

/** Seconds after which whoever has a ring has told it or is gone. */
const patience = 12

/** Goes on to where the bell tries again what a process has died with. */
async function goBy(world: World, { userId }: Person): Promise<void> {
  await world.query(async (sql) => {
    const isLeft = sql`
      user_id = ${userId} and next_at > now()
      and next_at - askback_private.ring_again_after(attempts) < now() - make_interval(secs => ${patience})`
    await sql`update askback.rings set next_at = now() where ${isLeft}`
    await sql`update askback.digests set next_at = now() where ${isLeft}`
    await sql`
      update askback.digests set begun_at = begun_at - interval '2 minutes'
      where user_id = ${userId} and noted_at is null and begun_at < now() - make_interval(secs => ${patience})`
  })
}

async function readRings(world: World, { userId, conversationId }: Person): Promise<Ring[]> {
  const rows = await world.query(
    (sql) => sql<Ring[]>`
      select r.id, r.type, r.item_id as "itemId", r.next_at is null as "isOver", r.heard_at is not null as "isHeard",
        i.closed_at is not null as "isClosed"
      from askback.rings r
      join askback.open_items i
        on i.user_id = r.user_id and i.conversation_id = r.conversation_id and i.id = r.item_id
      where r.user_id = ${userId} and r.conversation_id = ${conversationId}`,
  )
  return [...rows]
}

async function readDigests(world: World, { userId, conversationId }: Person): Promise<Digest[]> {
  const rows = await world.query(
    (sql) => sql<Digest[]>`
      select d.id, m.item_id as "itemId", d.next_at is null as "isOver", d.begun_at is not null as "isBegun",
        d.noted_at is not null as "isNoted"
      from askback.digests d
      join askback.digest_items m on m.digest_id = d.id
      where m.user_id = ${userId} and m.conversation_id = ${conversationId}`,
  )
  return [...rows]
}

/** Waits until what waits was told, by the bell and by a digest; not longer than two minutes. */
export async function rungInTime(world: World, person: Person): Promise<void> {
  for (const giveUp = Date.now() + 120_000; Date.now() < giveUp; await pause(500)) {
    await goBy(world, person)
    const rings = await readRings(world, person)
    const digests = await readDigests(world, person)
    const isRung = rings.some(({ itemId, isHeard }) => itemId === person.mustRing && isHeard)
    // One whose answer is not stored yet may have been refused, and is sent again.
    if (
      isRung &&
      digests.some(({ itemId, isOver, isNoted }) => itemId === person.mustRing && isOver && isNoted)
    )
      return
  }
  person.note('nobody was told that it waits')
}

/** What is wrong once nothing is left to be told. */
export async function findRung(world: World, person: Person): Promise<Rung> {
  let rings: Ring[] = []
  let digests: Digest[] = []
  for (const giveUp = Date.now() + 120_000; Date.now() < giveUp; await pause(500)) {
    rings = await readRings(world, person)
    digests = await readDigests(world, person)
    if (rings.every(({ isOver }) => isOver) && digests.every(isTold)) break
    await goBy(world, person)
  }
  const itemIds = new Set([...rings, ...digests].map(({ itemId }) => itemId))
  const told = world.bell.told.filter((one) => one.itemIds.some((id) => itemIds.has(id)))
  const heard = told.filter(({ isRefused }) => !isRefused)
  const mails = heard.filter(({ type }) => type === 'digest').flatMap((one) => one.itemIds)
  const doubled = [...findDoubledRings(told), ...findTwice(mails).map((id) => `the digest of ${id}`)]
  const lost = [...findLostRings(rings, heard), ...findLostDigest(person, rings, digests, mails)]
  const untold = digests
    .filter((one) => !isTold(one))
    .map(({ itemId }) => `whether a digest of ${itemId} was sent`)
  return {
    rings: heard.length - mails.length,
    digests: mails.length,
    doubled: doubled.length,
    lost: lost.length,
    untold: untold.length,
    wrong: [
      ...doubled.map((what) => `DOUBLED: ${what}`),
      ...lost.map((what) => `LOST: ${what}`),
      ...untold.map((what) => `UNTOLD: ${what}`),
    ],
  }
}

/** A process that dies with a request that may be on its way leaves it to the next one to tell that nobody knows. */
const isTold = ({ isBegun, isNoted }: Digest): boolean => !isBegun || isNoted

/** Attempts have the same delivery: a second one is a second ring. */
function findDoubledRings(told: readonly Told[]): string[] {
  const rings = told.filter(({ type }) => type !== 'digest')
  const deliveries = new Map(rings.map(({ type, itemIds, delivery }) => [delivery, `${type} of ${itemIds}`]))
  return findTwice([...deliveries.values()])
}

const findTwice = (all: readonly string[]): string[] => all.filter((one, index) => all.indexOf(one) !== index)

function findLostRings(rings: readonly Ring[], heard: readonly Told[]): string[] {
  const isAtReceiver = (id: string) => heard.some(({ delivery }) => delivery === id)
  return rings.flatMap(({ id, type, itemId, isOver, isHeard, isClosed }) => {
    const what = `${type} of ${itemId}`
    if (!isOver) return `${what} is still to be told`
    // What has closed is told as closed.
    if (isHeard ? !isAtReceiver(id) : !(type === 'opened' && isClosed)) return `${what} was told nobody`
    const isEnded = rings.some((other) => other.itemId === itemId && other.type === 'closed')
    return isClosed && isAtReceiver(id) && !isEnded ? `that ${itemId} was closed` : []
  })
}

function findLostDigest(
  { mustRing }: Person,
  rings: readonly Ring[],
  digests: readonly Digest[],
  mails: readonly string[],
): string[] {
  if (mustRing === undefined) return []
  const digest = digests.find(({ itemId }) => itemId === mustRing)
  return [
    ...(rings.some(({ itemId }) => itemId === mustRing) ? [] : [`no ring of ${mustRing}`]),
    ...(mails.includes(mustRing) || digest?.isBegun ? [] : [`no digest of ${mustRing}`]),
  ]
}
