import { argumentHash } from '../../engine/core/canonical-json.ts'
import { type Change, type Compare, changesBetween, type Seen } from '../../engine/core/seen.ts'
import type { ForeignTool } from './foreign-tool.ts'

/**
 * What an approval relies on: the definition of its tool, and parts of it, so that people can be told what of it has changed.
 * `definition`: its hash.
 */
export async function seeDefinition(tool: ForeignTool, definition: string): Promise<Seen> {
  const { title, description, inputSchema, annotations } = tool
  return {
    definition,
    words: await argumentHash({ title, description }),
    takes: await argumentHash(inputSchema),
    claims: annotations,
  }
}

/** The parts that have changed, or that the definition has, as far as they were seen. */
export const compareSeen: Compare = (before, now) => {
  const seen = Object.fromEntries(Object.keys(before).map((name) => [name, now[name]]))
  const changes = changesBetween(before, seen)
  const parts = changes.filter(({ what }) => what !== 'definition')
  return parts.length > 0 ? parts.map(withoutHashes) : changes
}

/** Nobody reads them. */
function withoutHashes({ what, before, now }: Change): Change {
  return what === 'claims' ? { what, before, now } : { what, before: null, now: null }
}
