import type { ModelList } from './model-lists.ts'
import type { DispensableParameter } from './protocol/dispensable-parameters.ts'
import type { ToolKnowledge } from './tool-knowledge.ts'
import type { WindowKnowledge } from './window-knowledge.ts'

/**
 * What was learned about models while using them: until when one rests after 429 and 5xx (milliseconds since the epoch),
 * which parameters and definitions of tools one refuses, how it thinks and how much it reads. Keys combine server and model.
 * One memory can serve many clients, as in a function that makes a client per request.
 */
export interface ModelMemory {
  resting: Map<string, number>
  refused: Map<string, Set<DispensableParameter>>
  tools: Map<string, ToolKnowledge>
  /** Whether a model's text begins within its thoughts, as it was seen. */
  thinksFirst: Map<string, boolean>
  /** Models that refuse calls without thoughts. */
  demandsThoughts: Set<string>
  windows: Map<string, WindowKnowledge>
  /** What servers say about their models, by base URL. */
  lists: Map<string, ModelList>
}

/** `others`: what is known of how much models read, which no key changes, is shared with it. */
export function createModelMemory(others?: Pick<ModelMemory, 'windows' | 'lists'>): ModelMemory {
  return {
    resting: new Map(),
    refused: new Map(),
    tools: new Map(),
    thinksFirst: new Map(),
    demandsThoughts: new Set(),
    windows: others?.windows ?? new Map(),
    lists: others?.lists ?? new Map(),
  }
}
