import { sha256 } from '../../../shared/engine/core/sha256.ts'
/**
 * The mark that an effect leaves at Google, to find it by: not the key itself, which is private, and short enough for
 * an app property (124 bytes) and the name of a range (256 code units).
 */
export async function effectMark({
  userId,
  idempotencyKey,
}: {
  userId: string
  idempotencyKey: string
}): Promise<string> {
  const hash = await sha256(`${userId}\n${idempotencyKey}`)
  return `askback-${hash.slice(0, 40)}`
}

const dayMs = 24 * 60 * 60 * 1000

/** The name of the range that a change leaves in its document, with the time after which it may be removed. */
export function rangeName(mark: string, now: Date): string {
  return `${mark}-${now.getTime() + dayMs}`
}

/** Our ranges that nobody will ask about any more: a change is asked about within minutes. */
export function clearableRanges(names: readonly string[], now: Date): string[] {
  return names.filter((name) => Number(/^askback-[0-9a-f]{40}-(\d{13})$/.exec(name)?.[1]) < now.getTime())
}
