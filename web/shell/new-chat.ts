import { useCallback } from 'react'
import { useLocation } from 'wouter'

/** Tells the open chat page to begin afresh, also when it is at `/` already. */
export const newChatEvent = 'askback:new-chat'

/** Leads to an empty chat. */
export function useNewChat(): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => {
    navigate('/')
    window.dispatchEvent(new Event(newChatEvent))
  }, [navigate])
}
