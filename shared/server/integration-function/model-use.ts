import { z } from 'zod'
import type { ToolModelUse } from '../../engine/core/tool-specification.ts'

/**
 * A header beside the ToolResult reports which models a function of ours has called. The body belongs to the tool:
 * whatever it claims, for example from a foreign tool, does not count.
 */
const name = 'x-askback-model-use'

const useSchema = z.array(
  z.object({
    purpose: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) }),
    cost: z.number().optional(),
    durationMs: z.number(),
  }),
)

export function modelUseHeaders(uses: readonly ToolModelUse[]): Record<string, string> {
  return uses.length === 0 ? {} : { [name]: encodeURIComponent(JSON.stringify(uses)) }
}

/** The model calls of a function; empty if the header is absent or unreadable. */
export function readModelUse(headers: Headers): ToolModelUse[] {
  const header = headers.get(name)
  if (header === null) return []
  try {
    return useSchema.parse(JSON.parse(decodeURIComponent(header))) as ToolModelUse[]
  } catch {
    return []
  }
}
