import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 767px)')
const follow = (changed: () => void) => {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

/** Whether the page is as narrow as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => narrow.matches)
}
