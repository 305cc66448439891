import { formatPath, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { Repair } from '../../core/repair.ts'
import { asSent } from '../../wording/corrected-call.ts'

/** Texts that stand for a value and are never sent as one: `"<recipient email address>"`, `"<as sent>"`. */
export interface Slots {
  /** Arguments of the called tool's only open intent: what `"<as sent>"` means at the same path. */
  kept?: Record<string, unknown>
  /** Every slot text shown in this conversation; an argument equal to one is missing. */
  shown: ReadonlySet<string>
}

/** A slot that a model put into its own quotes. */
const quoted = /^(["'`])(<[\s\S]*>)\1$/

/** Arguments nested deeper than this contain no slot of ours. */
const maxDepth = 32

/**
 * Restores earlier values where the model repeated `"<as sent>"`, and removes every slot text that was shown in this
 * conversation: a placeholder is never sent. Changes the arguments in place and returns the places that still have to be
 * filled, including optional ones: without an intended filter, a call does more than it should. A list item becomes
 * `null`, so that the list does not silently get shorter.
 */
export function resolveSlots(
  args: Record<string, unknown>,
  slots: Slots | undefined,
  repairs: Repair[],
): JsonPath[] {
  const unfilled: JsonPath[] = []
  visit(args, [])
  return unfilled

  function visit(value: unknown, path: JsonPath): void {
    if (path.length > maxDepth) return
    if (typeof value === 'string') resolve(value, path)
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index])
    else if (isObject(value)) for (const name of Object.keys(value)) visit(value[name], [...path, name])
  }

  function resolve(text: string, path: JsonPath): void {
    if (!text.includes('<')) return
    const trimmed = text.trim()
    const bare = quoted.exec(trimmed)?.[2] ?? trimmed
    const meansAsSent = bare.toLowerCase() === asSent
    if (!meansAsSent && !slots?.shown.has(bare)) return
    const kept = meansAsSent && slots?.kept ? valueAt(slots.kept, path) : undefined
    // Only text is ever shown as sent; a kept list may have gaps that still have to be filled.
    const isText = typeof kept === 'string'
    repairs.push({ path: formatPath(path), rule: isText ? 'as-sent' : 'slot-removed' })
    if (isText) setAt(args, path, kept)
    else {
      unfilled.push(path)
      if (typeof path.at(-1) === 'string') removeAt(args, path)
      else setAt(args, path, null)
    }
  }
}
