import { useSyncExternalStore } from 'react'

/** Whether the page is as narrow as on a phone. */
export const useNarrow = watchWidth('(max-width: 767px)')

/** Whether it has no room for a sidebar, as on a tablet that is held upright. */
export const useFolded = watchWidth('(max-width: 899px)')

function watchWidth(query: string): () => boolean {
  const list = window.matchMedia(query)
  const follow = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(follow, () => list.matches)
}
