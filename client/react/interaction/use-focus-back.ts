import { type RefObject, useEffect, useMemo } from 'react'

/** Returns the focus to a button that was disabled while something was running, or to what is around it. */
export function useFocusBack(isBusy: boolean, around?: RefObject<HTMLElement | null>): void {
  // Read before it is disabled, which removes the focus immediately.
  const pressed = useMemo(() => (isBusy ? (document.activeElement as HTMLElement | null) : null), [isBusy])
  useEffect(() => {
    if (pressed === null) return
    return () => {
      if (document.activeElement !== document.body) return
      const place = pressed.isConnected && pressed !== document.body ? pressed : around?.current
      place?.focus({ preventScroll: true })
    }
  }, [pressed, around])
}
