import type { FileUIPart } from 'ai'
import { useEffect, useRef, useState } from 'react'

/** What is written and not sent. */
export interface Draft {
  text: string
  files: FileUIPart[]
}

export const emptyDraft: Draft = { text: '', files: [] }
const kept = new Map<string, Draft>()

/**
 * A draft that is there again when its user comes back to its place, also after a session has ended; not after a reload.
 * Without a place it is not kept.
 */
export function useDraft(place: string | undefined, start: Draft) {
  const [draft, setDraft] = useState(() => (place && kept.get(place)) || start)
  const latest = useRef({ place, draft })
  latest.current = { place, draft }
  useEffect(() => {
    if (latest.current.place) kept.delete(latest.current.place)
    return () => {
      const { place, draft } = latest.current
      if (place && (draft.text !== '' || draft.files.length > 0)) kept.set(place, draft)
    }
  }, [])
  return [draft, setDraft] as const
}
