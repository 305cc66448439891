import { z } from 'zod'
import { unsubscribe } from '../../../../shared/api/digest.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { openItemSchema } from '../answer/open-item.ts'
import { linkOf } from './bell-link.ts'
import { headingOf } from './heading.ts'
import { isHeard, type OpenSecret, type Posted, postRing } from './post-ring.ts'
import type { Ringing } from './ring.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

/** Items that a mail names; of the others it says how many there are. */
const mostNamed = 20

const digestSchema = z.object({
  id: z.string(),
  attempt: z.number(),
  onOpenId: z.string(),
  url: z.string(),
  secret: z.string(),
  userId: z.string(),
  to: z.string().nullable(),
  minutes: z.number().nullable(),
  items: z.array(
    z.object({
      askedAt: z.string(),
      userId: z.string(),
      askedFor: z.string().nullable(),
      isAgain: z.boolean(),
      agent: z.string().nullable(),
      item: openItemSchema,
    }),
  ),
})
type Digest = z.infer<typeof digestSchema>

/** What a destination is sent for a digest: a mail that is ready to be sent, and what it is made of. */
export interface DigestBody {
  type: 'digest'
  to: string
  subject: string
  /** The whole mail, as plain text in the user's language. */
  text: string
  /** Without those that are only counted. */
  items: DigestItem[]
  /** For `List-Unsubscribe`: a POST ends the digests; a GET changes nothing, and leads to a page that asks. */
  unsubscribe: string
}

interface DigestItem {
  itemId: string
  kind: string
  agent: string | null
  /** Whose it is, if a group of the reader's approves it; absent for the reader's own. */
  askedFor?: string
  /** It was in a digest before, and is in this one as a reminder. */
  isReminder?: true
  /** The heading of its card, in the user's language. */
  sentence: string
  since: string
  /** Its page, which takes a sign-in; null if the project has no web app. */
  link: string | null
}

const takenSchema = z.object({ digests: z.array(digestSchema), unknown: z.array(z.string()) })

/** Takes what is due to be sent, and tells of what may have been. */
export async function takeDigests(rpc: CallRpc, limit: number): Promise<Digest[]> {
  const { digests, unknown } = await askDatabase(
    rpc('take_digests', { p_limit: limit, p_named: mostNamed }),
    takenSchema,
  )
  for (const digestId of unknown) writeLog('digest-unknown', { digestId })
  return digests
}

/** Sends a digest. One that may have been sent is not sent again. Nothing that fails here throws. */
export async function sendDigest(dependencies: Ringing, open: OpenSecret, digest: Digest): Promise<void> {
  const { id, attempt, url } = digest
  const { rpc } = dependencies
  const place = { onOpenId: digest.onOpenId, type: 'digest', attempts: attempt }
  try {
    const secret = await open(digest.secret)
    const compose = await prepareMail(dependencies, digest)
    // The last moment: what closes later is in a mail that was on its way.
    const begun = rpc('begin_digest', { p_digest_id: id, p_attempt: attempt })
    const left = await askDatabase(begun, z.array(z.string()).nullable())
    if (left === null || compose === undefined) return
    const { status, failure, isSent } = await postRing(
      dependencies,
      { id, url, secret },
      compose(new Set(left)),
    )
    if (!isHeard(status)) writeLog('bell-not-heard', { ...place, status: status ?? null }, failure)
    await rpc('note_digest', {
      p_digest_id: id,
      p_attempt: attempt,
      p_status: status ?? null,
      p_again: isUnsent({ status, isSent }),
    })
  } catch (error) {
    writeLog('digest-not-sent', place, error)
  }
}

/** Whether it is certain that nobody was mailed: it was refused, or never arrived. */
function isUnsent({ status, isSent }: Posted): boolean {
  return status === undefined ? !isSent : !isHeard(status)
}

/** The mail, for the items that are still open; undefined if there is nobody to send it to. */
async function prepareMail(
  dependencies: Ringing,
  { userId, to, minutes, onOpenId, items }: Digest,
): Promise<((open: ReadonlySet<string>) => DigestBody) | undefined> {
  const { rpc, functionSecret, publicUrl } = dependencies
  if (to === null || minutes === null || !functionSecret) return undefined
  const language = await readersLanguage(rpc, userId)
  const named = await Promise.all(
    items.map(async ({ askedAt, agent, item, ...of }) => ({
      itemId: item.itemId,
      kind: item.type,
      agent,
      ...(of.askedFor ? { askedFor: of.askedFor.replace(/\s+/g, ' ') } : {}),
      ...(of.isAgain ? { isReminder: true as const } : {}),
      sentence: headingOf(item, language),
      since: askedAt,
      link: await linkOf(dependencies, { onOpenId, userId: of.userId, itemId: item.itemId, isOpen: true }),
    })),
  )
  const token = await unsubscribeToken(functionSecret, userId)
  const address = `${publicUrl(unsubscribe.path.slice(1))}?token=${token}`
  return (open) => {
    const shown = named.filter(({ itemId }) => open.has(itemId))
    const code = shown.every(({ isReminder }) => isReminder) ? 'digest_reminder' : 'digest_subject'
    const subject = sayOwn(language, { code, values: { count: open.size } })
    const text = textOf(language, shown, { count: open.size, address })
    return { type: 'digest', to, subject, text, items: shown, unsubscribe: address }
  }
}

function textOf(
  language: Language,
  items: readonly DigestItem[],
  { count, address }: { count: number; address: string },
): string {
  const say = (code: string, values: Record<string, unknown>) => sayOwn(language, { code, values })
  const more = count - items.length
  return [
    ...items.map(({ sentence, agent, askedFor, since, link }) =>
      [sentence, say('digest_since', { agent, person: askedFor, at: since }), link]
        .filter(Boolean)
        .join('\n'),
    ),
    ...(more > 0 ? [say('digest_more', { count: more })] : []),
    `${say('digest_why', {})}\n${say('digest_end', { address })}`,
  ].join('\n\n')
}
