import { z } from 'zod'
import { decider } from '../../../../shared/api/item-link.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import { openItemSchema } from '../answer/open-item.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { linkOf } from './bell-link.ts'
import { readBellSecrets } from './bell-secrets.ts'
import { sendDigest, takeDigests } from './digest.ts'
import { headingOf } from './heading.ts'
import { isHeard, type OpenSecret, postRing } from './post-ring.ts'

/** Rings, and digests, at most by one request of the clock. */
const limit = 20

const ringSchema = z.object({
  id: z.string(),
  onOpenId: z.string(),
  url: z.string(),
  secret: z.string(),
  type: z.enum(['opened', 'reminder', 'closed']),
  userId: z.string(),
  itemId: z.string(),
  kind: z.string(),
  askedAt: z.string(),
  agent: z.string().nullable(),
  item: openItemSchema,
  attempts: z.number(),
  outcome: z.object({ as: z.string().nullable(), by: decider().nullable() }).nullable(),
})
type Ring = z.infer<typeof ringSchema>

const partSchema = z.enum(['user', 'group'])
type Part = z.infer<typeof partSchema>

/** What a destination is sent. */
export interface RingBody {
  type: 'opened' | 'reminder' | 'closed'
  itemId: string
  kind: string
  /** The name of the agent; null if it was deleted. */
  agent: string | null
  /** The group that decides it, instead of the user or as well; absent if the user decides alone. */
  who?: string
  /** In a reminder: who has not approved it yet. */
  waitsFor?: Part[]
  /** In a reminder: when it was asked. */
  since?: string
  /** What is asked, in the user's language: the heading of its card. */
  sentence: string
  /** Its page, which takes a sign-in; null if the project has no web app. */
  link: string | null
  /** How it was closed, and who decided it away from the conversation. */
  outcome?: { as: string; by?: z.infer<ReturnType<typeof decider>> }
}

export type Ringing = Pick<
  ChatDependencies,
  'rpc' | 'credentialsKeys' | 'appUrls' | 'functionSecret' | 'allowPrivateHosts' | 'publicUrl'
>

/**
 * Takes what is due to be told, and tells it: resolves, once it is taken, to whether there was anything, and `told`, which
 * resolves once it is told. Nothing that fails here throws.
 */
export async function ringBells(dependencies: Ringing): Promise<{ isAny: boolean; told: Promise<unknown> }> {
  const { rpc } = dependencies
  try {
    const open = await readBellSecrets(dependencies)
    const [rings, digests] = await Promise.all([
      askDatabase(rpc('take_rings', { p_limit: limit }), z.array(ringSchema)),
      takeDigests(rpc, limit),
    ])
    const told = Promise.all([
      ...rings.map((ring) => deliver(dependencies, open, ring)),
      ...digests.map((digest) => sendDigest(dependencies, open, digest)),
    ])
    return { isAny: rings.length + digests.length > 0, told }
  } catch (error) {
    writeLog('bell-not-rung', {}, error)
    return { isAny: false, told: Promise.resolve() }
  }
}

async function deliver(dependencies: Ringing, open: OpenSecret, ring: Ring): Promise<void> {
  const { id, onOpenId, url, secret, type, attempts } = ring
  let status: number | undefined
  let failure: unknown
  try {
    const body = await bodyOf(dependencies, ring)
    const destination = { id, url, secret: await open(secret) }
    // The last moment: what closes later is told as closed.
    const waitsFor = type === 'reminder' ? await beginReminder(dependencies, id) : undefined
    if (waitsFor === null) return
    ;({ status, failure } = await postRing(dependencies, destination, { ...body, waitsFor }))
  } catch (error) {
    failure = error
  }
  if (!isHeard(status))
    writeLog('bell-not-heard', { onOpenId, type, attempts, status: status ?? null }, failure)
  await dependencies.rpc('note_ring', { p_ring_id: id, p_status: status ?? null }).catch((error) => {
    writeLog('bell-not-noted', { onOpenId }, error)
  })
}

/** Who has not approved it yet; null if nobody is to be reminded of it any more. */
async function beginReminder({ rpc }: Ringing, p_ring_id: string): Promise<Part[] | null> {
  return await askDatabase(rpc('begin_reminder', { p_ring_id }), z.array(partSchema).nullable())
}

async function bodyOf(dependencies: Ringing, ring: Ring): Promise<RingBody> {
  const { type, itemId, kind, agent, userId, item, askedAt, outcome } = ring
  const language = await readersLanguage(dependencies.rpc, userId)
  return {
    type,
    itemId,
    kind,
    agent,
    ...(item.approvers ? { who: item.approvers.group } : {}),
    ...(type === 'reminder' ? { since: askedAt } : {}),
    sentence: headingOf(item, language),
    link: await linkOf(dependencies, { ...ring, isOpen: type !== 'closed' }),
    outcome: outcome ? { as: outcome.as ?? 'replaced', by: outcome.by || undefined } : undefined,
  }
}
