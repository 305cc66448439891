import type { ToolSpecification } from '../core/tool-specification.ts'

/** What one model's server has refused and taken of the definitions of tools, by `definitionId`. */
export interface ToolKnowledge {
  /** Definitions that it takes only in the plainest form. */
  plainest: 'all' | Set<string>
  /** Definitions that it does not take at all, and why. */
  refused: Map<string, string>
  /** Definitions of which one is refused: which one was not found yet. */
  suspects: Set<string>
  taken: Set<string>
  /** Tools of a request. */
  most: number
  /** The message during which it was searched last: one message is not searched for twice. */
  message: string
}

export function nothingKnown(): ToolKnowledge {
  return {
    plainest: new Set(),
    refused: new Map(),
    suspects: new Set(),
    taken: new Set(),
    most: Number.POSITIVE_INFINITY,
    message: '',
  }
}

const ids = new WeakMap<ToolSpecification, string>()

/** The name of a tool and a hash of what a model reads of it: a changed definition is another one. */
export function definitionId(tool: ToolSpecification): string {
  const known = ids.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters } = tool
  const id = `${name} ${hash(JSON.stringify([description, parameters]))}`
  ids.set(tool, id)
  return id
}

/** FNV-1a, twice with different seeds. */
function hash(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x01000193) + index
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
