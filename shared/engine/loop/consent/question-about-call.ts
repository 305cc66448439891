import type { Asked } from '../../core/asked.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { wordQuestion } from '../../transcript/question-words.ts'
import type { QuestionDraft } from '../run/ask.ts'

/** A prepared call that waits unchanged. */
export function questionAbout(
  kind: QuestionEntry['kind'],
  { call }: Pick<CallState, 'call'>,
  asked: Asked,
  more: Partial<QuestionDraft> = {},
): QuestionDraft {
  const { toolCallId, toolName, input, prepared, repetition } = call
  const args = prepared && typeof input === 'object' ? input : {}
  const again = repetition === undefined ? {} : { repetition }
  return {
    type: 'question',
    kind,
    toolCallId,
    toolName,
    ...wordQuestion(asked, kind),
    arguments: args,
    open: [],
    ...again,
    ...more,
  }
}
