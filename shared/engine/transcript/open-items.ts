import { readPath, setAt } from '../core/json-path.ts'
import type { Entry, QuestionEntry } from './entry.ts'
import { beginsTurn } from './turn-start.ts'

/** An item that somebody can close: a question, an approval, a connection or a wait, as its entry asks it. */
export interface ItemOfTurn {
  question: QuestionEntry
  /** Index of its turn's user message in the transcript. */
  turn: number
}

/**
 * The open items of a conversation, oldest first: each from the entry that asks it until an entry closes it.
 *
 * @example
 * const asked = { type: 'question', itemId: 'c1.a', kind: 'approval', intent: 1, askedAt: '2026-11-22T06:12:00Z', toolCallId: 'c1', toolName: 'send', question: 'Question: Send it?', arguments: {}, open: [] }
 * openItems([asked]).map(({ itemId }) => itemId) // => ['c1.a']
 * openItems([asked, { type: 'decision', itemId: 'c1.a', toolCallId: 'c1', decision: 'deny' }]) // => []
 */
export function openItems(transcript: readonly Entry[]): QuestionEntry[] {
  return [...foldItems(transcript).values()].map(({ question }) => question)
}

export function foldItems(transcript: readonly Entry[]): Map<string, ItemOfTurn> {
  const items = new Map<string, ItemOfTurn>()
  let turn = -1
  for (const [index, entry] of transcript.entries()) {
    if (beginsTurn(entry)) turn = index
    foldItem(items, entry, turn)
  }
  return items
}

/** Applies one more entry to the open items, in place; `turn`: index of the user message before it, or its own. */
export function foldItem(items: Map<string, ItemOfTurn>, entry: Entry, turn: number): void {
  if (entry.type === 'question') {
    for (const { question } of [...items.values()]) {
      if (replaces(entry, question)) items.delete(question.itemId)
    }
    items.set(entry.itemId, { question: entry, turn })
  } else if (entry.type === 'decision' || entry.type === 'closed') items.delete(entry.itemId)
  else if (beginsTurn(entry)) {
    for (const [id, { question }] of items) if (question.kind === 'wait') items.delete(id)
  }
}

/** A call, and an intent, has at most one open item. */
export function replaces(
  later: Pick<QuestionEntry, 'toolCallId' | 'intent'>,
  earlier: QuestionEntry,
): boolean {
  return later.toolCallId === earlier.toolCallId || (later.intent > 0 && later.intent === earlier.intent)
}

/** The item about a call, which has at most one. */
export function itemOfCall(
  items: ReadonlyMap<string, ItemOfTurn>,
  toolCallId: string,
): ItemOfTurn | undefined {
  return [...items.values()].find(({ question }) => question.toolCallId === toolCallId)
}

/** The questions of a turn that nobody has decided. */
export function itemsOfTurn(items: ReadonlyMap<string, ItemOfTurn>, turn: number): QuestionEntry[] {
  return [...items.values()].filter((item) => item.turn === turn).map(({ question }) => question)
}

/** Whether a person can approve it: an approval, or a form that is one too. */
export function canBeApproved({ kind, reason }: Pick<QuestionEntry, 'kind' | 'reason'>): boolean {
  return kind === 'approval' || (kind === 'input' && reason !== undefined)
}

/** The known part of an item's call: its arguments without the open places. */
export function keptArguments({
  arguments: args,
  open,
}: Pick<QuestionEntry, 'arguments' | 'open'>): Record<string, unknown> {
  const kept = structuredClone(args)
  for (const path of open.map(readPath)) setAt(kept, path, undefined)
  return kept
}
