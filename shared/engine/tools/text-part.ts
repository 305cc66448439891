import { countCharacters } from '../core/characters.ts'
import { readPath, setAt, valueAt } from '../core/json-path.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { upToGap } from '../core/up-to-gap.ts'

/** A part of a text, in characters from its beginning. */
export interface TextPart {
  from: number
  /** Where the next part begins. */
  to: number
  /** Characters of the whole text, as far as it is known. */
  total: number
  /** There may be more than these. */
  isCut?: boolean
}

/** A call whose output is cut. */
export interface CutCall {
  tool: Pick<ToolSpecification, 'effect' | 'parameters' | 'readsOn'>
  args: Record<string, unknown>
  /** The output was cut before: how long it is as a whole is not known. */
  isCut?: boolean
}

/**
 * How a model reads the rest of a text. `did`: what was done with this part.
 *
 * @example
 * describePart({ from: 0, to: 9, total: 20 }, 'from', 'shown') // => '9 of 20 characters shown; call again with from: 9 for more.'
 */
export function describePart(
  { from, to, total, isCut }: TextPart,
  parameter: string,
  did: 'shown' | 'read',
): string {
  const where = from === 0 ? '' : `From ${from} on, `
  return `${where}${to - from} of ${isCut ? 'at least ' : ''}${total} characters ${did}; call again with ${parameter}: ${to} for more.`
}

/**
 * Which part of a text is left in an output that was cut, if its tool can read on there (`readsOn`); `data` is the output
 * with exactly that part, without a mark of the cut.
 */
export function keepPart(
  whole: unknown,
  kept: unknown,
  { tool, args, isCut = false }: CutCall,
): { data: unknown; part: TextPart } | undefined {
  if (!tool.readsOn) return undefined
  const path = readPath(tool.readsOn.text)
  const [text, shown] = [valueAt(whole, path), valueAt(kept, path)]
  if (typeof text !== 'string' || typeof shown !== 'string' || shown === text) return undefined
  const exact = upToGap(shown.replace(/…$/, ''))
  if (exact === '') return undefined
  const from = Number(args[tool.readsOn.parameter] ?? 0)
  const part = { from, to: from + countCharacters(exact), total: from + countCharacters(text), isCut }
  return { data: setAt(kept, path, exact) ? kept : exact, part }
}
