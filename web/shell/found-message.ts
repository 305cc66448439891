import { useEffect, useReducer } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

const prefix = '#message-'

/** The part of a conversation's address that names a message in it. */
export const foundMessage = (id: string): string => `${prefix}${encodeURIComponent(id)}`

const foundEvent = 'askback:found'

/** Tells the open chat page to go to the message that its address names, even if it named that one before. */
export function showFound(): void {
  window.dispatchEvent(new Event(foundEvent))
}

/**
 * That part of the page's address, undefined if it names none, and how often the page was told to go there. Not decoded:
 * anybody can write an address.
 */
export function useFoundMessage(): { found: string | undefined; times: number } {
  const hash = useLocationProperty(() => location.hash)
  const [times, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    window.addEventListener(foundEvent, again)
    return () => window.removeEventListener(foundEvent, again)
  }, [])
  return { found: hash.startsWith(prefix) ? hash : undefined, times }
}
