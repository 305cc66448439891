import { z } from 'zod'
import { canonicalJson } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { Seen } from '../../../../shared/engine/core/seen.ts'
import { withoutNothing } from '../../../../shared/engine/core/without-nothing.ts'
import type {
  DecisionEntry,
  Entry,
  QuestionEntry,
  Result,
} from '../../../../shared/engine/transcript/entry.ts'
import { upgradeEntry } from '../../../../shared/engine/transcript/entry-version.ts'
import { versionRefused } from '../../../../shared/server/database/version-refused.ts'
import type { Done } from '../../../../shared/words/fill-template.ts'

/** An entry in two parts: what its owner may read, and what no client may see. */
export interface StoredEntry {
  entry: Entry
  private?: PrivatePart
}

/** The private part of an entry: what a provider keeps in a call; what a tool saw when an item was asked; what a server is told. */
interface PrivatePart extends Pick<Result, 'parked'>, Pick<QuestionEntry, 'state'> {
  extraContent?: unknown
  /** Of a question, or of the decision about it. */
  reply?: QuestionEntry['reply'] | DecisionEntry['reply']
  /** Of an item; in the result of a write, of other items by id (SQL `see_again`). */
  seen?: Seen | Record<string, Seen>
}

/** An entry as the database returns it, in the format of this code. Throws ApiError if newer code wrote it. */
export const entrySchema = z.custom<Entry>(isEntry).transform(inOurFormat)

/** An entry that asks somebody. */
export const questionSchema = entrySchema.pipe(
  z.custom<QuestionEntry>((value) => isObject(value) && value.type === 'question'),
)

/** What the summary of a call tells. */
export const doneSchema = z.custom<Done>(isObject)

/** Joins the two parts into a whole entry. One check of both: each turn reads hundreds. */
export const storedEntrySchema = z
  .custom<{ entry: Entry; private: PrivatePart | null }>(isStored)
  .transform(({ entry, private: hidden }) => joinEntry(inOurFormat(entry), hidden ?? {}))

function isStored(value: unknown): boolean {
  return isObject(value) && isEntry(value.entry) && (value.private === null || isObject(value.private))
}

function isEntry(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string'
}

function inOurFormat(entry: Entry): Entry {
  const upgraded = upgradeEntry(entry)
  if (!upgraded) throw versionRefused()
  return upgraded
}

/**
 * Splits an entry for storing. What a provider keeps in a call and what a tool has seen become private; the agent is
 * left out, because every run brings its own.
 */
export function splitEntry(entry: Entry): StoredEntry {
  switch (entry.type) {
    case 'call': {
      const { extraContent, ...rest } = entry
      return extraContent === undefined ? { entry } : { entry: rest, private: { extraContent } }
    }
    case 'question': {
      const { seen, state, reply, ...rest } = entry
      return withPrivate(rest, { seen, state, reply })
    }
    case 'result': {
      const { seen, parked, ...rest } = entry
      return withPrivate(rest, { seen, parked })
    }
    case 'decision': {
      const { reply, ...rest } = entry
      return withPrivate(rest, { reply })
    }
    case 'run-start': {
      const { agent: _, ...rest } = entry
      return { entry: rest }
    }
    default:
      return { entry }
  }
}

function withPrivate(
  entry: Entry,
  hidden: { [Name in keyof PrivatePart]: PrivatePart[Name] | undefined },
): StoredEntry {
  const known = withoutNothing(hidden)
  return Object.keys(known).length === 0 ? { entry } : { entry, private: known }
}

/** How many entries two lists have in common from their start, whoever has read them. */
export function countSame(some: readonly Entry[], others: readonly Entry[]): number {
  const end = some.findIndex((entry, index) => {
    const other = others[index]
    return other === undefined || keyOf(entry) !== keyOf(other)
  })
  return end < 0 ? some.length : end
}

function keyOf(entry: Entry): string {
  return canonicalJson(splitEntry(entry).entry)
}

/** What a result says of other items is stored with those. */
function joinEntry(entry: Entry, hidden: PrivatePart): Entry {
  const { seen: _, ...ofResult } = hidden
  return { ...entry, ...(entry.type === 'result' ? ofResult : hidden) } as Entry
}
