import { useCallback } from 'react'
import { useLocation } from 'wouter'

/** Tells the open chat page to start over, even if it is already at `/`. */
export const newChatEvent = 'askback:new-chat'

/** Opens an empty chat. */
export function useNewChat(): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => {
    navigate('/')
    window.dispatchEvent(new Event(newChatEvent))
  }, [navigate])
}
