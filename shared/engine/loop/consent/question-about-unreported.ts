import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Write } from '../../core/write.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { questionAboutUnknown } from './question-about-unknown.ts'

/** A claimed write that may have happened, whose process died before anybody was asked. */
export interface UnreportedWrite {
  /** Id of its open item. */
  itemId: string
  write: Write
  /** The account that its tool uses; null if it will ask. */
  account: string | null
}

/** The question about a write that may have happened and that no entry mentions: what, to whom, and when. */
export function questionAboutUnreported(
  { itemId, write, account }: UnreportedWrite,
  tool: ToolSpecification | undefined,
): QuestionEntry {
  const senders = account === null ? {} : { [write.toolName]: account }
  return {
    ...questionAboutUnknown(
      { ...write, tool: tool ?? { name: write.toolName } },
      { user: undefined, senders },
    ),
    itemId,
    intent: write.intent,
    askedAt: new Date(write.at).toISOString(),
  }
}
