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
   * Brings what is new along with a call of the database. It is new until a call says that it stored it, so one that
   * fails costs nothing. What another call is bringing is waited for: nothing is claimed before its call is stored.
   */
  bring<Reply>(
    send: (entries: NumberedEntry[]) => Promise<Reply>,
    isStored: (reply: Reply) => boolean,
  ): Promise<Reply>
}

const deltas = new Set(['text-delta', 'thought-delta', 'input-start', 'input-delta', 'restart'])

export function createRunLog(): RunLog {
  const entries: Entry[] = []
  let stored = 0
  /** The call that brings what is not stored yet; it never rejects. */
  let bringing: Promise<void> | undefined
  return {
    entries,
    hear(event) {
      if (!deltas.has(event.type)) entries.push(event as Entry)
    },
    async bring(send, isStored) {
      while (bringing) await bringing
      const from = stored
      const fresh = entries
        .slice(from)
        .map((entry, index) => ({ ...splitEntry(entry), sequence: from + index }))
      const sent = send(fresh)
      if (fresh.length === 0) return sent
      const noted = sent.then(
        (reply) => {
          if (isStored(reply)) stored = from + fresh.length
        },
        () => {},
      )
      bringing = noted.finally(() => {
        bringing = undefined
      })
      await bringing
      return sent
    },
  }
}
