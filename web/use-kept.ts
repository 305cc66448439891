import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

const kept = new Map<string, unknown>()

/** What is typed and not saved: there again when its user comes back to its place, not after a reload. */
export function useKept<Value>(place: string, start: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => (kept.has(place) ? (kept.get(place) as Value) : start))
  useEffect(() => {
    kept.set(place, value)
  }, [place, value])
  return [value, setValue]
}
