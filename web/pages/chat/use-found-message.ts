import { useEffect, useMemo, useReducer } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { FoundMessage } from '../../../client/react/chat/scroll-keeper.tsx'
import { foundEvent, foundPrefix } from '../../shell/found-message.ts'

/** The message that the page's address names, and how often the page was told to go there. */
export function useFoundMessage(): FoundMessage | undefined {
  const hash = useLocationProperty(() => location.hash)
  const [times, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    window.addEventListener(foundEvent, again)
    return () => window.removeEventListener(foundEvent, again)
  }, [])
  return useMemo(() => {
    const messageId = hash.startsWith(foundPrefix) ? decode(hash.slice(foundPrefix.length)) : undefined
    return messageId === undefined ? undefined : { messageId, times }
  }, [hash, times])
}

/** Anybody can write an address: what can't be read leads nowhere. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
