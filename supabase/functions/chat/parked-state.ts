import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'

/** What is kept of a run that waits, to go on from. */
export interface ParkedState {
  /** Of the engine, opaque. */
  engine: unknown
  /** What the assistant message consists of so far, for the model. */
  modelMessages: ChatMessage[]
}

/** Reads the state as this function has stored it. */
export function parkedStateOf(state: unknown): ParkedState {
  return state as ParkedState
}
