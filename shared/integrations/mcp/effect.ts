import type { ToolSpecification } from '../../engine/core/tool-specification.ts'
import type { Annotations } from './foreign-tool.ts'

type Consequences = Pick<ToolSpecification, 'effect' | 'alwaysAsks' | 'destructive'>

/**
 * What follows from the claims of a server. A tool reads only if its server says so and is trusted. Every other one asks,
 * and where the server itself says that it writes or destroys, "always allow" isn't offered (`alwaysAsks`).
 *
 * @example
 * effectOf({ readOnlyHint: true }, { trusted: true }) // => { effect: 'read' }
 * effectOf({ readOnlyHint: true }, { trusted: false }) // => { effect: 'write' }
 * effectOf({ readOnlyHint: false }, { trusted: true }) // => { effect: 'write', alwaysAsks: true }
 */
export function effectOf(
  { readOnlyHint, destructiveHint }: Annotations,
  { trusted }: { trusted: boolean },
): Consequences {
  const isSaidToDestroy = destructiveHint === true
  if (readOnlyHint === true && trusted && !isSaidToDestroy) return { effect: 'read' }
  return {
    effect: 'write',
    ...(readOnlyHint === false || isSaidToDestroy ? { alwaysAsks: true } : {}),
    ...(isSaidToDestroy ? { destructive: true } : {}),
  }
}
