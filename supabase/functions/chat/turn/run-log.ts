import type { AgentEvent } from '../../../../shared/engine/loop/agent-response.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { type StoredEntry, splitEntry } from '../entries/stored-entry.ts'

export type NumberedEntry = StoredEntry & { sequence: number }

/** What a run has written down, and how much of it is in the database. */
export interface RunLog {
  readonly entries: readonly Entry[]
  /** Hears the events of the engine; deltas are kept nowhere. */
  hear(event: AgentEvent): void
  /**
   * Brings what is new along with a call of the database: it is new until a call says that it stored it, so a call
   * that fails costs nothing.
   */
  bring<Reply>(
    send: (entries: NumberedEntry[]) => Promise<Reply>,
    isStored: (reply: Reply) => boolean,
  ): Promise<Reply>
}

const deltas = new Set(['text-delta', 'input-start', 'input-delta', 'restart'])

export function createRunLog(): RunLog {
  const entries: Entry[] = []
  let stored = 0
  return {
    entries,
    hear(event) {
      if (!deltas.has(event.type)) entries.push(event as Entry)
    },
    async bring(send, isStored) {
      const until = entries.length
      const fresh = entries
        .slice(stored)
        .map((entry, index) => ({ ...splitEntry(entry), sequence: stored + index }))
      const reply = await send(fresh)
      if (isStored(reply)) stored = Math.max(stored, until)
      return reply
    },
  }
}
