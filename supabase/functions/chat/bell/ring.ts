import { z } from 'zod'
import { decider, linkSeconds } from '../../../../shared/api/item-link.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { postPublic } from '../../../../shared/integrations/network/public-post.ts'
import {
  isSealed,
  keyOfSealed,
  openDestinationSecret,
  sealDestinationSecret,
} from '../../../../shared/server/credentials/destination-secret.ts'
import { type Keyring, readKeyring } from '../../../../shared/server/credentials/keyring.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import { openItemSchema, showItem } from '../answer/open-item.ts'
import { linkUrl, tokenOfBytes } from '../links/link-token.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { hmac, signatureHeader, signRing } from './sign-ring.ts'

/** Milliseconds that a destination may take to answer. */
const patienceMs = 10_000
/** Rings at most by one request of the clock. */
const limit = 20

const ringSchema = z.object({
  id: z.string(),
  onOpenId: z.string(),
  url: z.string(),
  secret: z.string(),
  type: z.enum(['opened', 'closed']),
  userId: z.string(),
  itemId: z.string(),
  kind: z.string(),
  agent: z.string().nullable(),
  item: openItemSchema,
  attempts: z.number(),
  outcome: z.object({ as: z.string().nullable(), by: decider().nullable() }).nullable(),
})
type Ring = z.infer<typeof ringSchema>

const takenSchema = z.object({
  unsealed: z.array(z.object({ id: z.string(), secret: z.string() })),
  due: z.array(ringSchema),
})

/** What a destination is sent. */
export interface RingBody {
  type: 'opened' | 'closed'
  itemId: string
  kind: string
  /** The name of the agent; null if it was deleted. */
  agent: string | null
  /** The group that decides it, instead of the user or as well; absent if the user decides alone. */
  who?: string
  /** What is asked, in the user's language: the heading of its card. */
  sentence: string
  /** Its page, which takes a sign-in; null if the project has no web app. */
  link: string | null
  /** How it was closed, and who decided it away from the conversation. */
  outcome?: { as: string; by?: z.infer<ReturnType<typeof decider>> }
}

type Ringing = Pick<
  ChatDependencies,
  'rpc' | 'credentialsKeys' | 'appUrls' | 'functionSecret' | 'allowPrivateHosts'
>

/** Tells what is due to be told, all at once, and seals secrets that were just written. Nothing that fails here throws. */
export async function ringBells(dependencies: Ringing): Promise<void> {
  const { rpc, credentialsKeys } = dependencies
  try {
    const keyring = await readKeyring(credentialsKeys)
    const rings = await askDatabase(rpc('take_rings', { p_limit: limit }), takenSchema)
    await Promise.all(rings.unsealed.map(({ id, secret }) => seal(dependencies, keyring, id, secret, secret)))
    await Promise.all(rings.due.map((ring) => deliver(dependencies, keyring, ring)))
  } catch (error) {
    writeLog('bell-not-rung', {}, error)
  }
}

async function deliver(dependencies: Ringing, keyring: Keyring, ring: Ring): Promise<void> {
  const { id, onOpenId, url, type, attempts } = ring
  let status: number | undefined
  let failure: unknown
  try {
    const secret = await openRingSecret(dependencies, keyring, ring)
    const body = JSON.stringify(await bodyOf(dependencies, ring))
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Askback/1.0',
      // The same for each attempt: whoever has heard it already can tell.
      'x-askback-delivery': id,
      [signatureHeader]: await signRing(secret, body),
    }
    status = await postPublic(url, headers, body, {
      allowLoopback: dependencies.allowPrivateHosts,
      signal: AbortSignal.timeout(patienceMs),
    })
  } catch (error) {
    failure = error
  }
  const isHeard = status !== undefined && status >= 200 && status < 300
  if (!isHeard) writeLog('bell-not-heard', { onOpenId, type, attempts, status: status ?? null }, failure)
  await dependencies.rpc('note_ring', { p_ring_id: id, p_status: status ?? null }).catch((error) => {
    writeLog('bell-not-noted', { onOpenId }, error)
  })
}

/** The secret of a destination; one that is sealed with an older key is sealed anew. */
async function openRingSecret(
  dependencies: Ringing,
  keyring: Keyring,
  { onOpenId, secret }: Ring,
): Promise<string> {
  if (!isSealed(secret)) return secret
  const value = await openDestinationSecret(keyring, onOpenId, secret)
  if (keyOfSealed(secret) !== keyring.current.id) await seal(dependencies, keyring, onOpenId, secret, value)
  return value
}

async function seal(
  { rpc }: Ringing,
  keyring: Keyring,
  id: string,
  before: string,
  value: string,
): Promise<void> {
  const sealed = await sealDestinationSecret(keyring, id, value)
  await rpc('seal_on_open', { p_id: id, p_before: before, p_sealed: sealed })
}

async function bodyOf(dependencies: Ringing, ring: Ring): Promise<RingBody> {
  const { type, itemId, kind, agent, userId, item, outcome } = ring
  const language = await readersLanguage(dependencies.rpc, userId)
  const shown = showItem(item, [item], language)[0]
  return {
    type,
    itemId,
    kind,
    agent,
    ...(item.approvers ? { who: item.approvers.group } : {}),
    sentence: shown?.confirm ?? shown?.asked ?? '',
    link: await linkOf(dependencies, ring),
    outcome: outcome ? { as: outcome.as ?? 'replaced', by: outcome.by || undefined } : undefined,
  }
}

/**
 * The link of an item for a destination. Its token follows from the function secret: every attempt sends the same link, and
 * nothing of it is stored but its hash.
 */
async function linkOf(
  { rpc, appUrls, functionSecret }: Ringing,
  { onOpenId, userId, itemId, type }: Ring,
): Promise<string | null> {
  if (appUrls.base === undefined || !functionSecret) return null
  const bytes = new Uint8Array(await hmac(functionSecret, `askback-bell:${onOpenId}:${userId}:${itemId}`))
  const token = tokenOfBytes(bytes)
  if (type === 'opened') {
    const hash = await sha256(token)
    const p_link = { id: idOf(hash), itemId, hash, decides: false, seconds: linkSeconds.most }
    await rpc('create_item_link', { p_user_id: userId, p_link })
  }
  return linkUrl(appUrls.base, token)
}

/** A UUID (version 8, RFC 9562) of a hash: the same link is stored once. */
function idOf(hash: string): string {
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 15),
    hash.slice(15, 18),
    hash.slice(18, 30),
  ]
  return `${a}-${b}-8${c}-8${d}-${e}`
}
