import type { Gmail } from './gmail.ts'
import { eachInBatches } from './in-batches.ts'
import { isCalendar, isFile, typeOf } from './mail-text.ts'
import { type Message, type Part, partsOf } from './resources.ts'

/** Parts that are loaded for one call. */
const mostParts = 20
/** Bytes of such a part. */
const largest = 1_048_576

/** Gmail keeps long texts, and invitations with a name, as files: loads what is read of them into the messages. */
export async function loadTexts(gmail: Gmail, messages: readonly Message[]): Promise<void> {
  const missing = messages.flatMap(({ id, payload }) =>
    partsOf(payload, true)
      .filter(isMissingText)
      .map((part) => ({ id, part })),
  )
  await eachInBatches(missing.slice(0, mostParts), async ({ id, part }) => {
    const file = encodeURIComponent(part.body?.attachmentId ?? '')
    const path = `/messages/${encodeURIComponent(id)}/attachments/${file}`
    const { data } = await gmail.ask<{ data?: string }>({ path })
    if (data !== undefined) part.body = { ...part.body, data }
  })
}

function isMissingText(part: Part): boolean {
  const { data, attachmentId, size = 0 } = part.body ?? {}
  if (data !== undefined || !attachmentId || size > largest) return false
  return isCalendar(part) || (/^text\/(?:plain|html)$/.test(typeOf(part)) && !isFile(part))
}
