import { useCallback } from 'react'
import { useLocation } from 'wouter'

/** Tells the open chat page to start over, even if it is already at `/`. */
export const newChatEvent = 'askback:new-chat'

/** Opens an empty chat. */
export function useNewChat(): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => {
    // The new chat takes the focus from nobody who types: whoever begins one is done with the search.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
    navigate('/')
    window.dispatchEvent(new Event(newChatEvent))
  }, [navigate])
}
