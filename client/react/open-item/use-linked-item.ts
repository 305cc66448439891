import { useCallback, useEffect, useState } from 'react'
import type { LinkedDecision, LinkedItem } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import type { AskbackError } from '../../askback-error.ts'

/** Milliseconds between looks at an item: while something is being done about it, and while it is open. */
const soon = 1500
const later = 5000

/** The item of a link, read again while something can still change, and how to decide it. */
export function useLinkedItem(
  askback: Askback,
  token: string,
  { isShown, userId }: { isShown: boolean; userId: string | undefined },
) {
  const [linked, setLinked] = useState<LinkedItem>()
  const [failure, setFailure] = useState<AskbackError>()
  const [isDeciding, setDeciding] = useState(false)
  const load = useCallback(
    () =>
      askback.links.read(token).then(
        (now) => {
          setLinked(now)
          setFailure(undefined)
        },
        (error: AskbackError) => setFailure(error),
      ),
    [askback, token],
  )
  useEffect(() => {
    if (isShown) void load()
    // Another user is shown something else.
  }, [isShown, load, userId])

  const isOver = linked?.decided !== undefined && linked.outcome?.status !== 'working' && !isDeciding
  const isLost = failure !== undefined && failure.status >= 400 && failure.status < 500
  const isLive = isDeciding || linked?.outcome?.status === 'working'
  useEffect(() => {
    if (!isShown || isOver || isLost) return
    const timer = setInterval(
      () => {
        if (!document.hidden) void load()
      },
      isLive ? soon : later,
    )
    return () => clearInterval(timer)
  }, [isShown, isOver, isLost, isLive, load])

  const decide = useCallback(
    async (decision: LinkedDecision) => {
      setDeciding(true)
      try {
        const now = await askback.links.decide(token, decision)
        setLinked(now)
        return now
      } catch (error) {
        // What was decided elsewhere is shown as such.
        await load()
        throw error
      } finally {
        setDeciding(false)
      }
    },
    [askback, token, load],
  )
  return { linked, failure, decide }
}
