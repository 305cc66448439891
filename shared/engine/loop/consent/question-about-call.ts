import type { Said } from '../../core/asked.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { storeQuestion } from '../../transcript/question-words.ts'
import type { QuestionDraft } from '../run/ask.ts'
import { seenFor } from './look.ts'

/** A prepared call that waits unchanged. */
export function questionAbout(
  kind: QuestionEntry['kind'],
  { call, decided }: Pick<CallState, 'call'> & { decided?: CallState['decided'] | undefined },
  said: Said,
  more: Partial<QuestionDraft> = {},
): QuestionDraft {
  const { toolCallId, toolName, input, prepared, repetition } = call
  const args = prepared && typeof input === 'object' ? input : {}
  const again = repetition === undefined ? {} : { repetition }
  // An approved call that now waits for something else still relies on the same.
  const seen = seenFor({ call, decided })
  return {
    type: 'question',
    kind,
    toolCallId,
    toolName,
    ...storeQuestion(said),
    arguments: args,
    open: [],
    ...again,
    ...(seen ? { seen } : {}),
    ...more,
  }
}
