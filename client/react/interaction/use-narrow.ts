import { type RefObject, useLayoutEffect, useState } from 'react'

/** Pixels below which cards take the place of the composer: the width of a phone, held upright. */
const widest = 640

/** Whether an element is as narrow as a phone, however wide the window is. */
export function useNarrow(element: RefObject<Element | null>): boolean {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => setNarrow(measured.clientWidth < widest)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return isNarrow
}
