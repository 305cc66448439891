import { useSyncExternalStore } from 'react'

const list = window.matchMedia('(max-width: 899px)')

/** Whether the page is too narrow for a sidebar, like a tablet in portrait. */
export function useFolded(): boolean {
  return useSyncExternalStore(follow, () => list.matches)
}

function follow(changed: () => void): () => void {
  list.addEventListener('change', changed)
  return () => list.removeEventListener('change', changed)
}
