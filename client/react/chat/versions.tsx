import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Drawing } from '../icons/drawing.tsx'
import { backIcon, forthIcon } from '../icons/later-icons.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useTell } from './tell.ts'

/** A former answer that is shown in place of the one that has taken its place. */
interface Shown {
  message: ChatMessage
  /** Which of its former answers, counted from 0. */
  place: number
}

interface Versions {
  former: Readonly<Record<string, number>>
  shown: Readonly<Record<string, Shown>>
  go(id: string, place: number): Promise<void>
}

const Known = createContext<Versions>({ former: {}, shown: {}, go: async () => {} })

export const VersionsProvider = Known.Provider

/**
 * The former answers to look at. The conversation goes on from the newest ones, whatever is shown.
 *
 * @param former How many each answer has, by its id.
 * @param read Reads those of an answer, oldest first.
 */
export function useVersions(
  former: Versions['former'],
  read: (messageId: string) => Promise<readonly ChatMessage[]>,
): Versions {
  const tell = useTell()
  const labels = useLabels()
  const [known, setKnown] = useState<Readonly<Record<string, readonly ChatMessage[]>>>({})
  const [shown, setShown] = useState<Versions['shown']>({})
  const latest = useRef({ read, tell, labels })
  latest.current = { read, tell, labels }
  // The same until what it says changes: every message is rendered again with it.
  return useMemo(() => {
    const go = async (id: string, place: number) => {
      try {
        const found = known[id] ?? (await latest.current.read(id))
        setKnown((before) => ({ ...before, [id]: found }))
        const message = found[place]
        // Under the id of the newest one, which its place in the page is kept by.
        setShown(({ [id]: _, ...others }) =>
          message ? { ...others, [id]: { message: { ...message, id }, place } } : others,
        )
      } catch (error) {
        latest.current.tell(describeFailure(error, latest.current.labels))
      }
    }
    return { former, shown, go }
  }, [JSON.stringify(former), shown, known])
}

/** Whether a former answer is shown in place of this one. */
export function useIsFormer(id: string): boolean {
  return useContext(Known).shown[id] !== undefined
}

/** Goes back to the answers that one has taken the place of, and forth again; nothing if there are none. */
export function VersionPicker({ id, children }: { id: string; children?: ReactNode }) {
  const labels = useChatLabels()
  const { former, shown, go } = useContext(Known)
  const newest = former[id] ?? 0
  if (newest === 0) return children
  const place = shown[id]?.place ?? newest
  const step = (by: -1 | 1, name: string, lines: readonly string[]) => {
    const next = place + by
    const isThere = next >= 0 && next <= newest
    return (
      <button
        type="button"
        className="askback-icon-button"
        aria-label={name}
        aria-disabled={!isThere}
        onClick={() => {
          if (isThere) void go(id, next)
        }}
      >
        <Drawing lines={lines} />
      </button>
    )
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <span role="group" className="askback-versions" aria-label={labels.versions}>
        {step(-1, labels.previousVersion, backIcon)}
        <span role="status">{labels.version(place + 1, newest + 1)}</span>
        {step(1, labels.nextVersion, forthIcon)}
      </span>
      {shown[id] ? <span className="askback-quiet">{labels.isFormer}</span> : children}
    </>
  )
}
