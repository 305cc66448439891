import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { type Answer, projectAnswer } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry, OwnText, RunStatus } from '../../../../shared/engine/transcript/entry.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { type OpenItemRow, type PendingItem, showItems } from './open-item.ts'
import { type RunView, wholeEntries } from './run-view.ts'
import { projectUiMessage, type UiMessage, withClosedItems, withOpenItems } from './ui-message.ts'

/** The JSON answer of `POST chat`, `/answer`, `/approval` and `/resume`. */
export interface ChatAnswer extends Answer {
  conversationId: string
  runId: string
  message: UiMessage
  /** The conversation's open items, those of this message first. */
  pending?: PendingItem[]
  /** What else people should know: that a budget is nearly used up. */
  notices?: OwnText[]
}

/** The message and conversation that a run has written to. */
export interface RunPlace {
  conversationId: string
  runId: string
  messageId: string
}

/** A run that has ended or waits, for whoever reads it: each in their own language. */
export interface EndedRun {
  status: RunStatus
  answerIn(language: Language): ChatAnswer
}

/** The answer of a run: the entries are those of its message, `open` are the conversation's open items. */
export function projectChatAnswer(
  { conversationId, runId, messageId }: RunPlace,
  entries: readonly Entry[],
  tools: readonly ToolSpecification[],
  open: readonly OpenItemRow[],
  language: Language,
): ChatAnswer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const { status, text, toolsUsed, usage } = projectAnswer(entries, byName, language)
  const message = projectUiMessage({ conversationId, runId, messageId }, entries, byName, language)
  const pending = showItems(open, messageId, language)
  const notices = noticesOf(entries, language)
  return {
    conversationId,
    runId,
    status,
    text,
    message: withOpenItems(message, pending),
    toolsUsed,
    usage,
    pending: pending.length > 0 ? pending : undefined,
    notices: notices.length > 0 ? notices : undefined,
  }
}

/** Those of the newest run of a message. */
function noticesOf(entries: readonly Entry[], language: Language): OwnText[] {
  const start = entries.findLastIndex(({ type }) => type === 'run-start')
  return entries
    .slice(Math.max(0, start))
    .flatMap((entry) => (entry.type === 'notice' && entry.notice === 'budget' ? [entry.told] : []))
    .map((said) => ({ ...said, text: sayOwn(language, said) }))
}

/** The answer of a finished run, repeated: the same, without what is no longer open. */
export function answerAgain(view: RunView): EndedRun {
  // A run that waited for the clock is stopped by the next message.
  const ended = view.status === 'stopped' ? { status: 'failed' as const } : {}
  return {
    status: view.status as RunStatus,
    ...ended,
    answerIn(language) {
      const entries = wholeEntries(view)
      const { message, ...answer } = projectChatAnswer(view, entries, view.tools, view.pending, language)
      return { ...answer, message: withClosedItems(message, view.closed, language), ...ended }
    },
  }
}
