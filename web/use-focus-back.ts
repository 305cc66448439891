import { type RefObject, useEffect, useMemo } from 'react'

/** What was pressed is switched off while something is at work, and loses the keyboard: it gets it back, or what is around it. */
export function useFocusBack(isBusy: boolean, around?: RefObject<HTMLElement | null>): void {
  // Read before it is switched off, which takes it away at once.
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
