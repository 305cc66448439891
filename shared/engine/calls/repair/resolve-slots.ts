import { formatPath, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { Repair } from '../../core/repair.ts'
import { asSent } from '../../wording/corrected-call.ts'

/** Texts that stand for a value and are never sent as one: `"<recipient email address>"`, `"<as sent>"`. */
export interface Slots {
  /** Arguments of the one open intent of the called tool: what `"<as sent>"` stands for at the same path. */
  kept?: Record<string, unknown>
  /** Every slot text shown in this conversation; an argument equal to one is missing. */
  shown: ReadonlySet<string>
}

/** A slot that a model put into quotes of its own. */
const quoted = /^(["'`])(<[\s\S]*>)\1$/

/** Arguments nest; what lies deeper than this holds no slot of ours. */
const maxDepth = 32

/**
 * Puts earlier values back where the model repeated `"<as sent>"`, and takes out every slot text that was shown in this
 * conversation: a placeholder is never sent. Changes the arguments in place; answers the places that are still to fill,
 * optional ones too: without a filter that was meant, a call does more than it should. An item of a list becomes `null`,
 * so that the list does not silently get shorter.
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
    // Only a text is ever shown as sent; a kept list may have gaps that are still to fill.
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
