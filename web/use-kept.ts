import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'

const kept = new Map<string, unknown>()

/**
 * What is typed and not saved or sent: there again when its user comes back to its place, also after a session has
 * ended; not after a reload. Without a place it is not kept.
 */
export function useKept<Value>(
  place: string | undefined,
  start: Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() =>
    place !== undefined && kept.has(place) ? (kept.get(place) as Value) : start,
  )
  const latest = useRef({ place, value })
  latest.current = { place, value }
  // Kept when it is left, not before: a place can change under what is typed.
  useEffect(() => {
    if (latest.current.place !== undefined) kept.delete(latest.current.place)
    return () => {
      const { place, value } = latest.current
      if (place !== undefined) kept.set(place, value)
    }
  }, [])
  return [value, setValue]
}
