import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { ChatMessage, MessageData, Pending } from '../../api/message.ts'
import { TakeBack } from '../cards/given-permission.tsx'
import type { Made } from '../cards/receipt.tsx'
import { OpenBeside } from '../cards/told-apart.ts'
import { WithoutAskingHref } from '../cards/without-asking-link.tsx'
import { Announcer } from '../interaction/announcer.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { UserFilesProvider } from '../values/user-files.tsx'
import { EarlierMessages } from './earlier-messages.tsx'
import { Message, type MessageHandlers, Working } from './message.tsx'
import { MessageErrors } from './message-errors.tsx'
import { whenIdle } from './when-idle.ts'

/** Messages that are rendered and laid out together. */
const groupSize = 8
const nothing: readonly Pending[] = []
const nobody: ReadonlyMap<string, readonly Pending[]> = new Map()
const undecided: readonly Made[] = []
const noReceipts: ReadonlyMap<string, readonly Made[]> = new Map()

/**
 * The messages of a conversation and their open items, newest last. The log is busy while a message is being written or
 * earlier ones are still being rendered. It is silent: what screen readers announce stands beside it, once it is complete.
 */
export function MessageList({
  messages,
  pending,
  decided = undecided,
  docked,
  isBusy,
  notice,
  onEarlier,
  handlers,
}: {
  messages: readonly ChatMessage[]
  pending: readonly Pending[]
  /** The user's decisions: receipts replace the cards. */
  decided?: readonly Made[] | undefined
  /** Ids of items whose cards are shown elsewhere. Pass the same array on every render. */
  docked?: readonly string[] | undefined
  isBusy: boolean
  /** Loads earlier messages, if there are any. */
  onEarlier?: (() => Promise<void>) | undefined
  /** What is happening now. */
  notice?: MessageData['notice'] | undefined
  /** `renderText` and `renderActions` should be the same functions on every render. */
  handlers: MessageHandlers
}) {
  const labels = useLabels()
  const steady = useSteady(handlers)
  const groups = useGroups(messages)
  const drawn = useGrowingCount(groups.length)
  const byMessage = useMemo(() => groupByMessage(messages, pending), [messages, pending])
  const receipts = useMemo(() => groupReceipts(decided), [decided])
  const first = Math.max(0, groups.length - drawn)
  const log = useRef<HTMLDivElement>(null)
  return (
    <Announcer log={log} pending={pending} isBusy={isBusy} notice={notice}>
      <div
        ref={log}
        role="log"
        aria-label={labels.conversation}
        aria-live="off"
        aria-busy={isBusy || first > 0}
        className="askback-messages"
      >
        {onEarlier && first === 0 && messages.length > 0 && (
          <EarlierMessages key={messages[0]?.id} onEarlier={onEarlier} />
        )}
        <WithoutAskingHref value={handlers.withoutAskingHref}>
          <TakeBack value={steady.onTakeBack}>
            <OpenBeside value={pending.length > 0 ? pending : nothing}>
              <UserFilesProvider messages={messages}>
                {groups.slice(first).map(({ number, messages: group }) => {
                  const isAsked = group.some(({ id }) => byMessage.has(id))
                  const isLast = group.at(-1) === messages.at(-1)
                  return (
                    <MessageGroup
                      key={number}
                      messages={group}
                      pending={isAsked ? byMessage : nobody}
                      decided={group.some(({ id }) => receipts.has(id)) ? receipts : noReceipts}
                      docked={isAsked ? docked : undefined}
                      writing={isBusy && isLast ? group.at(-1)?.id : undefined}
                      handlers={steady}
                    />
                  )
                })}
              </UserFilesProvider>
            </OpenBeside>
          </TakeBack>
        </WithoutAskingHref>
        {isBusy && messages.at(-1)?.role === 'user' && <Working />}
        {notice && (
          <p className="askback-quiet" dir="auto">
            {withoutHidden(notice.text)}
          </p>
        )}
      </div>
    </Announcer>
  )
}

/** The same handlers on every render, which call the newest ones: messages that have not changed are not rendered again. */
function useSteady(handlers: MessageHandlers): MessageHandlers {
  const newest = useRef(handlers)
  newest.current = handlers
  const { settingsHref, withoutAskingHref, renderText, renderActions } = handlers
  const hasPages = handlers.pageOf !== undefined
  const takesBack = handlers.onTakeBack !== undefined
  return useMemo(
    () => ({
      settingsHref,
      withoutAskingHref,
      renderText,
      renderActions,
      onAnswer: (...call) => newest.current.onAnswer(...call),
      onDecide: (...call) => newest.current.onDecide(...call),
      onSkip: (...call) => newest.current.onSkip(...call),
      pageOf: hasPages
        ? async (...call) => (await newest.current.pageOf?.(...call)) ?? location.href
        : undefined,
      onTakeBack: takesBack ? async (id) => newest.current.onTakeBack?.(id) : undefined,
    }),
    [settingsHref, withoutAskingHref, renderText, renderActions, hasPages, takesBack],
  )
}

/** A group of consecutive messages. Off-screen ones are not laid out, but can still be searched and read aloud. */
const MessageGroup = memo(function MessageGroup({
  messages,
  pending,
  decided,
  docked,
  writing,
  handlers,
}: {
  messages: readonly ChatMessage[]
  pending: ReadonlyMap<string, readonly Pending[]>
  decided: ReadonlyMap<string, readonly Made[]>
  docked: readonly string[] | undefined
  /** Id of the message being written. */
  writing: string | undefined
  handlers: MessageHandlers
}) {
  return (
    <div className="askback-group">
      {messages.map((message) => (
        <MessageErrors key={message.id} message={message}>
          <Message
            message={message}
            pending={pending.get(message.id) ?? nothing}
            decided={decided.get(message.id) ?? undecided}
            docked={docked}
            handlers={handlers}
            isWriting={message.id === writing}
          />
        </MessageErrors>
      ))}
    </div>
  )
})

/** Messages that are rendered together. */
interface Group {
  /** Negative for messages that were added in front later. */
  number: number
  messages: readonly ChatMessage[]
}

/**
 * Splits the messages into groups, counted from a fixed message because earlier ones are added in front. A group without
 * changes keeps its array.
 */
function useGroups(messages: readonly ChatMessage[]): readonly Group[] {
  const [held] = useState<{ anchor?: string | undefined; groups: readonly Group[] }>({ groups: [] })
  return useMemo(() => {
    let anchor = messages.findIndex(({ id }) => id === held.anchor)
    if (anchor < 0) {
      anchor = 0
      held.anchor = messages[0]?.id
    }
    const before = new Map(held.groups.map((group) => [group.number, group.messages]))
    const groups: Group[] = []
    for (
      let number = -Math.ceil(anchor / groupSize);
      anchor + number * groupSize < messages.length;
      number++
    ) {
      const start = anchor + number * groupSize
      const group = messages.slice(Math.max(0, start), start + groupSize)
      const same = before.get(number)
      groups.push({ number, messages: same && isSame(same, group) ? same : group })
    }
    held.groups = groups
    return groups
  }, [messages, held])
}

function isSame(before: readonly ChatMessage[], group: readonly ChatMessage[]): boolean {
  return before.length === group.length && before.every((message, index) => message === group[index])
}

/**
 * How many groups are rendered, counted from the newest: a few at first and soon all, so that a long conversation opens
 * quickly and can then be scrolled and searched as a whole.
 */
function useGrowingCount(total: number): number {
  const [count, setCount] = useState(2)
  useEffect(() => {
    if (count >= total) return
    return whenIdle(() => startTransition(() => setCount(count + 1)), { timeout: 100 })
  }, [count, total])
  return count
}

function groupReceipts(decided: readonly Made[]): Map<string, Made[]> {
  const groups = new Map<string, Made[]>()
  for (const one of decided) groups.set(one.messageId, [...(groups.get(one.messageId) ?? []), one])
  return groups
}

/** The open items by the message of their call; the others go below the last answer. */
function groupByMessage(
  messages: readonly ChatMessage[],
  pending: readonly Pending[],
): Map<string, Pending[]> {
  const groups = new Map<string, Pending[]>()
  const lastAnswer = messages.findLast(({ role }) => role === 'assistant') ?? messages.at(-1)
  for (const one of pending) {
    const holds = (part: ChatMessage['parts'][number]) =>
      (part as { toolCallId?: string } | null)?.toolCallId === one.toolCallId
    const message =
      messages.find(({ id }) => id === one.messageId) ??
      messages.findLast(({ parts }) => parts.some(holds)) ??
      lastAnswer
    if (message) groups.set(message.id, [...(groups.get(message.id) ?? []), one])
  }
  return groups
}
