import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { wordQuestion } from '../../transcript/question-words.ts'
import { askUncertain } from './ask-uncertain.ts'

/** A claimed write that may have happened, whose process died before anybody was asked. */
export interface LostExecution {
  /** Id of its open item. */
  itemId: string
  toolCallId: string
  toolName: string
  arguments: unknown
  intent: number
  repetition: number
  /** ISO 8601: when it was claimed. */
  createdAt: string
}

/** The question about a write that may have happened and that no entry mentions: what, to whom, and when. */
export function askAboutLedger(lost: LostExecution, tool: ToolSpecification | undefined): QuestionEntry {
  const { itemId, toolCallId, toolName, intent, repetition, createdAt } = lost
  const args = (lost.arguments ?? {}) as Record<string, unknown>
  const write = { tool: tool ?? { name: toolName }, arguments: args, at: createdAt }
  return {
    type: 'question',
    itemId,
    kind: 'approval',
    reason: 'unknown',
    intent,
    askedAt: new Date(createdAt).toISOString(),
    toolCallId,
    toolName,
    ...wordQuestion(askUncertain(write)),
    arguments: args,
    open: [],
    uncertain: true,
    repetition: repetition + 1,
  }
}
