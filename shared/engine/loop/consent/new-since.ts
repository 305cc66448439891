import type { ToolSpecification } from '../../core/tool-specification.ts'
import { hasNewWords } from '../../provenance/new-words.ts'
import { valuesEdited } from '../../transcript/decision-words.ts'
import { typedWords } from '../../transcript/user-content.ts'
import type { EarlierWrite, Invocation, OtherWords } from '../run/ledger.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { datesOfToday } from './dates-of-today.ts'

/**
 * The claim to make instead, if the write that was found only went to the same people and the user has typed something
 * new since; undefined if the two are the same.
 */
export function withNewWords(
  run: Run,
  { call, specification, args = {}, state: { decided } }: RoundCall,
  invocation: Invocation,
  { write, otherWords }: EarlierWrite,
): Invocation | undefined {
  if (!otherWords || !specification) return undefined
  // What a person has just changed in this very call.
  const edited = decided?.decision.input ? [valuesEdited({ ...decided, call })] : []
  const isNew = saysSomethingNew(specification, args, otherWords, { edited, today: datesOfToday(run) })
  return isNew ? { ...invocation, newSince: write.at } : undefined
}

/** Whether a call to the same people holds something that was typed since, and neither then nor written to them. */
export function saysSomethingNew(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  { led, typed, writes }: OtherWords,
  { edited = [], today = [] }: { edited?: readonly unknown[]; today?: readonly string[] } = {},
): boolean {
  const since = {
    typed: typed.map(({ content }) => typedWords(content)),
    forms: [...typed.flatMap(({ forms }) => forms), ...edited],
    known: [...writes, ...(led ? [typedWords(led.content), ...led.forms] : [])],
  }
  return hasNewWords(tool, args, since, today)
}
