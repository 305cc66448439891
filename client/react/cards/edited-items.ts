import { useEffect, useSyncExternalStore } from 'react'

/** The items whose cards are being edited on this page: others that show them must not tell what was there before. */
let edited: readonly string[] = []
const listeners = new Set<() => void>()

function setEdited(now: readonly string[]): void {
  edited = now
  for (const notify of listeners) notify()
}

/** Notes that a card is being edited, for as long as it is. */
export function useNoteEdited(itemId: string, isEditing: boolean): void {
  useEffect(() => {
    if (!isEditing) return
    setEdited([...edited, itemId])
    return () => setEdited(edited.filter((one) => one !== itemId))
  }, [itemId, isEditing])
}

/** Ids of the items that are being edited. */
export function useEditedItems(): readonly string[] {
  return useSyncExternalStore(follow, read, read)
}

const read = () => edited

function follow(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}
