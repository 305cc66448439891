import { useEffect, useReducer } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { foundEvent, foundPrefix } from '../../shell/found-message.ts'

/**
 * The part of the page's address that names a message, undefined if it names none, and how often the page was told to go
 * there. Not decoded: anybody can write an address.
 */
export function useFoundMessage(): { found: string | undefined; times: number } {
  const hash = useLocationProperty(() => location.hash)
  const [times, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    window.addEventListener(foundEvent, again)
    return () => window.removeEventListener(foundEvent, again)
  }, [])
  return { found: hash.startsWith(foundPrefix) ? hash : undefined, times }
}
