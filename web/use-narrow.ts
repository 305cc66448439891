import { useSyncExternalStore } from 'react'

/** Whether the page is as narrow as a phone. */
export const useNarrow = watchWidth('(max-width: 767px)')

/** Whether it is too narrow for a sidebar, like a tablet in portrait. */
export const useFolded = watchWidth('(max-width: 899px)')

function watchWidth(query: string): () => boolean {
  const list = window.matchMedia(query)
  const follow = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(follow, () => list.matches)
}
