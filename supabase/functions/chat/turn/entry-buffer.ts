import type { AgentEvent, Delta } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { type StoredEntry, splitEntry } from '../entries/stored-entry.ts'

/** `brief`: what later turns read instead of it. */
export type NumberedEntry = StoredEntry & { sequence: number; brief?: Entry }

/** The entries of a run, and how many of them are in the database. */
export interface EntryBuffer {
  readonly entries: readonly Entry[]
  /** Whether some of them are on their way to the database. */
  readonly isSending: boolean
  /** Adds an event of the engine as an entry; deltas are dropped. */
  add(event: AgentEvent): void
  /**
   * Sends the entries that are not stored yet along with a database call. They count as stored once a call says so, and
   * a failed call loses none. Flushes wait for each other: nothing is claimed before its call is stored.
   */
  flush<Reply>(
    send: (entries: NumberedEntry[]) => Promise<Reply>,
    isStored: (reply: Reply) => boolean,
  ): Promise<Reply>
}

const deltas = new Set(['text-delta', 'thought-delta', 'input-start', 'input-delta', 'restart'])

/** Whether an event is only told while it happens, and never stored. */
export function isDelta(event: AgentEvent): event is Delta {
  return deltas.has(event.type)
}

/** `onStored` is told how many of the entries are in the database, before whoever has sent them goes on. */
export function createEntryBuffer(
  onStored: (count: number) => void = () => {},
  briefOf: (entry: Entry, entries: readonly Entry[]) => Entry | undefined = () => undefined,
): EntryBuffer {
  const entries: Entry[] = []
  let stored = 0
  /** The flush under way; it never rejects. */
  let flushing: Promise<void> | undefined
  const withBrief = (entry: Entry) => {
    const brief = briefOf(entry, entries)
    return brief ? { brief: splitEntry(brief).entry } : {}
  }
  return {
    entries,
    get isSending() {
      return flushing !== undefined
    },
    add(event) {
      if (!isDelta(event)) entries.push(event)
    },
    async flush(send, isStored) {
      while (flushing) await flushing
      const from = stored
      const fresh = entries
        .slice(from)
        .map((entry, index) => ({ ...splitEntry(entry), ...withBrief(entry), sequence: from + index }))
      const sent = send(fresh)
      if (fresh.length === 0) return sent
      const noted = sent.then(
        (reply) => {
          if (!isStored(reply)) return
          stored = from + fresh.length
          onStored(stored)
        },
        () => {},
      )
      flushing = noted.finally(() => {
        flushing = undefined
      })
      await flushing
      return sent
    },
  }
}
