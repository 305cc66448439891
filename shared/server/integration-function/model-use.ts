import { z } from 'zod'
import type { ToolModelUse } from '../../engine/core/tool-specification.ts'

/**
 * A header beside the ToolResult says what a function of ours has asked a model. The body is the tool's alone: what
 * stands there, of a foreign tool for example, counts nothing.
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

/** What a function has asked a model; nothing where the header is absent or cannot be read. */
export function readModelUse(headers: Headers): ToolModelUse[] {
  const header = headers.get(name)
  if (header === null) return []
  try {
    return useSchema.parse(JSON.parse(decodeURIComponent(header))) as ToolModelUse[]
  } catch {
    return []
  }
}
