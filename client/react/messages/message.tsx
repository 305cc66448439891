import { memo, type ReactNode } from 'react'
import type { ChatMessage, Pending } from '../../api/message.ts'
import { withoutMark } from '../../values/sentence.ts'
import type { CallView } from '../calls/call-view.ts'
import type { CardHandlers } from '../cards/card-handlers.ts'
import { type Made, Receipt } from '../cards/receipt.tsx'
import { UnaskedReceipt } from '../cards/without-asking-link.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { type Block, listBlocks } from './message-blocks.ts'
import { PendingCard } from './pending-card.tsx'
import { usePieces, useToolView } from './pieces.tsx'
import { foldRuns } from './tool-runs.ts'

/** The handlers for a message and its cards. */
export interface MessageHandlers extends CardHandlers {
  /** Renders the model's text; plain text if absent. */
  renderText?: ((text: string) => ReactNode) | undefined
  /** Renders the buttons below a message: copy, edit and so on. */
  renderActions?: ((message: ChatMessage, text: string) => ReactNode) | undefined
}

/** One message: its text, its calls, and last its open items, where they are seen. */
export const Message = memo(function Message({
  message,
  pending,
  decided,
  docked,
  handlers,
  isWriting,
}: {
  message: ChatMessage
  /** The open items of this message. */
  pending: readonly Pending[]
  /** The decisions about its calls. */
  decided: readonly Made[]
  /** Ids of items whose cards are shown elsewhere. */
  docked?: readonly string[] | undefined
  handlers: MessageHandlers
  isWriting: boolean
}) {
  const labels = useLabels()
  const { SeveralApprovals } = usePieces()
  const { role, id } = message
  const isUser = role === 'user'
  const asked = new Set(pending.map(({ toolCallId }) => toolCallId))
  // A question that is shown as a card is not repeated.
  const questions = new Set(
    message.metadata?.texts?.flatMap(({ text, toolCallId = '' }) => (asked.has(toolCallId) ? [text] : [])),
  )
  const repeated = isUser ? [] : listQuestions(message)
  const blocks = foldRuns(
    listBlocks(message)
      .map((block) => withoutQuestions(block, repeated))
      .map((block) => beforeAsked(block, asked, decided))
      .filter((block) => isShown(block, asked, isUser ? noTexts : questions)),
    new Set(decided.map(({ toolCallId }) => toolCallId)),
  )
  const made = new Map(decided.map((one) => [one.itemId, one]))
  const isHere = ({ itemId }: Pending) => !docked?.includes(itemId)
  // The receipt replaces the card until the call continues.
  const receipts = decided.filter(({ itemId }) => pending.every((one) => one.itemId !== itemId))
  const saysWorking = pending.some((one) => isHere(one) && isUnderWay(made.get(one.itemId)))
  const text = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n\n')
  return (
    <article
      className="askback-message"
      data-role={role}
      aria-label={isUser ? labels.you : labels.answer}
      data-message={id}
    >
      {blocks.map((block) => (
        <BlockView
          key={block.key}
          block={block}
          decided={receipts}
          isUser={isUser}
          renderText={handlers.renderText}
        />
      ))}
      <SeveralApprovals pending={pending.filter(isHere)} decided={decided} onDecide={handlers.onDecide} />
      {pending.filter(isHere).map((one) => (
        <PendingCard key={one.itemId} pending={one} made={made.get(one.itemId)} handlers={handlers} />
      ))}
      {isWriting && !isUser && !isMoving(message) && !saysWorking && <Working />}
      {!isWriting && (blocks.length > 0 || pending.some(isHere)) && handlers.renderActions?.(message, text)}
    </article>
  )
})

/** The questions that the message has as cards or receipts. */
function listQuestions({ parts }: ChatMessage): string[] {
  return parts.flatMap((part) => {
    if (part?.type !== 'data-question') return []
    const { question, asked } = part.data
    // The longer one first: it begins with the other.
    return [question, asked].flatMap((text) => (text ? [withoutMark(text).trim()] : []))
  })
}

/** The model's text without the questions that it repeats word for word: their cards ask them. */
function withoutQuestions(block: Block, questions: readonly string[]): Block {
  if (block.kind !== 'text') return block
  const text = questions.reduce((rest, question) => rest.replace(question, ''), block.text)
  return text === block.text ? block : { ...block, text: text.trim() }
}

/** Whether there is visible progress: text, thoughts or a running call. */
function isMoving({ parts }: ChatMessage): boolean {
  const last = parts.findLast(({ type }) => !type.startsWith('data-') && type !== 'step-start')
  if (!last || parts.at(-1)?.type === 'step-start') return false
  const state = 'state' in last ? last.state : undefined
  return state === 'streaming' || state === 'input-streaming' || state === 'input-available'
}

/** Whether its receipt says that it is worked on. */
function isUnderWay(made: Made | undefined): boolean {
  return made !== undefined && !made.answer && made.outcome === undefined && made.decision !== 'late'
}

/** Shown while there is no text yet. */
export function Working() {
  return (
    <p className="askback-working askback-quiet">
      {useLabels().working}
      <span aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
    </p>
  )
}

function BlockView({
  block,
  decided,
  isUser,
  renderText,
}: {
  block: Block
  decided: readonly Made[]
  isUser: boolean
  renderText: MessageHandlers['renderText']
}) {
  const { DoneBefore, FileBlock, Sources, Thought } = usePieces()
  switch (block.kind) {
    case 'text':
      return (
        <div className="askback-text" dir="auto">
          {isUser || !renderText ? <p className="askback-plain">{block.text}</p> : renderText(block.text)}
        </div>
      )
    case 'thought':
      return <Thought text={block.text} isOpen={block.isOpen} />
    case 'calls':
      return <Calls attempts={block.attempts} decided={decided} />
    case 'run':
      return <Runs runs={block.runs} />
    case 'file':
      return (
        <FileBlock mediaType={block.mediaType} url={block.url} filename={block.filename} isUser={isUser} />
      )
    case 'before':
      return <DoneBefore writes={block.writes} />
    case 'sources':
      return <Sources sources={block.sources} />
  }
}

/** Calls in the app's own tool view, or in ours. */
function Calls({ attempts, decided }: { attempts: readonly CallView[]; decided: readonly Made[] }) {
  const { ToolCard } = usePieces()
  const call = attempts.at(-1)
  const View = useToolView(call?.toolName)
  if (!call || !View) return <ToolCard attempts={attempts} decided={decided} />
  return (
    <>
      {decided
        .filter((one) => attempts.some(({ toolCallId }) => toolCallId === one.toolCallId))
        .map((made) => (
          <Receipt key={made.itemId} made={made} past={call.past} holds={made.decision !== 'answer'} />
        ))}
      <UnaskedReceipt call={call} />
      <View call={call} attempts={attempts} />
    </>
  )
}

/** Consecutive calls of one tool; one by one if the app has its own view. */
function Runs({ runs }: { runs: readonly (readonly CallView[])[] }) {
  const { ToolRun } = usePieces()
  const View = useToolView(runs[0]?.[0]?.toolName)
  const each = runs.map((attempts) => (
    <Calls key={attempts[0]?.toolCallId} attempts={attempts} decided={undecided} />
  ))
  return View ? each : <ToolRun runs={runs}>{each}</ToolRun>
}

const undecided: readonly Made[] = []
const noTexts: ReadonlySet<string> = new Set()

/** Of a call that is asked about, what was decided about it before. */
function beforeAsked(block: Block, asked: ReadonlySet<string>, decided: readonly Made[]): Block {
  if (block.kind !== 'calls' || !asked.has(block.attempts.at(-1)?.toolCallId ?? '')) return block
  const before = block.attempts.slice(0, -1)
  const isDecided = before.some((call) => decided.some(({ toolCallId }) => toolCallId === call.toolCallId))
  return isDecided ? { ...block, attempts: before } : block
}

/** A call with an open question is shown as the question; earlier attempts reappear with its result. */
function isShown(block: Block, asked: ReadonlySet<string>, questions: ReadonlySet<string>): boolean {
  if (block.kind === 'text') return block.text.trim() !== '' && !questions.has(block.text)
  return block.kind !== 'calls' || !asked.has(block.attempts.at(-1)?.toolCallId ?? '')
}
