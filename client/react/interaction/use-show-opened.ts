import { type RefObject, useEffect, useRef } from 'react'

/**
 * Brings what somebody opens into view, no further than needed. What is open from the start, or is seen already, moves
 * nothing.
 */
export function useShowOpened(isOpen: boolean, opened: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (isOpen && !wasOpen.current) opened.current?.scrollIntoView({ block: 'nearest' })
    wasOpen.current = isOpen
  }, [isOpen, opened])
}
