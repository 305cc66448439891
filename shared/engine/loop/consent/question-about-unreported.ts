import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { questionAboutUnknown } from './question-about-unknown.ts'

/** A claimed write that may have happened, whose process died before anybody was asked. */
export interface UnreportedExecution {
  /** Id of its open item. */
  itemId: string
  toolCallId: string
  toolName: string
  arguments: unknown
  intent: number
  repetition: number
  /** ISO 8601: when it was claimed. */
  createdAt: string
  /** The account that its tool uses; null if it will ask. */
  account: string | null
  /** Nobody knows what became of an equal one before it, either. */
  isSecond: boolean
}

/** The question about a write that may have happened and that no entry mentions: what, to whom, and when. */
export function questionAboutUnreported(
  execution: UnreportedExecution,
  tool: ToolSpecification | undefined,
): QuestionEntry {
  const { itemId, toolCallId, toolName, intent, repetition, createdAt, account, isSecond } = execution
  const args = (execution.arguments ?? {}) as Record<string, unknown>
  const about = { toolCallId, tool: tool ?? { name: toolName }, arguments: args, at: createdAt }
  const write = { ...about, repetition, isSecond }
  const senders = account === null ? {} : { [toolName]: account }
  return {
    ...questionAboutUnknown(write, { user: undefined, senders }),
    itemId,
    intent,
    askedAt: new Date(createdAt).toISOString(),
  }
}
