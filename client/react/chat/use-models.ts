import { useEffect, useState } from 'react'
import type { Askback } from '../../askback.ts'

type Models = Awaited<ReturnType<Askback['models']>>

/** How long after a failure they are asked for again: a function that has just been started may be late. */
const pausesMs = [500, 2000, 8000, 30_000]

/** The available and the current model of a conversation, or of a new one with this agent; undefined until they are known. */
export function useModels(
  askback: Askback,
  { agentId, conversationId }: { agentId: string | undefined; conversationId: string | undefined },
): Models | undefined {
  const [models, setModels] = useState<Models>()
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = (pauses: readonly number[]) => {
      const [pause, ...others] = pauses
      askback.models({ agentId, conversationId }).then(
        (read) => {
          if (!isOver) setModels(read)
        },
        () => {
          if (!isOver && pause !== undefined) timer = setTimeout(ask, pause, others)
        },
      )
    }
    ask(pausesMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [askback, agentId, conversationId])
  return models
}
