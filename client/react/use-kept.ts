import {
  createContext,
  type Dispatch,
  type SetStateAction,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { isSameJson } from '../json-text.ts'
import type { KeptStore } from '../kept-store.ts'
import type { Pending } from '../message.ts'

const Store = createContext<KeptStore | undefined>(undefined)

/** Keeps what is typed below it; without it, that is gone when its page is left. */
export const KeptProvider = Store.Provider

/**
 * A state that is there again when its user comes back to its place, until it is what it was at the start. Without a
 * place it is not kept. What was found there, and not changed, follows another tab; what was typed here is this tab's.
 * `storable`: what of it may outlive the page, undefined for nothing.
 */
export function useKept<Value>(
  place: string | undefined,
  start: Value,
  storable: (value: Value) => Value | undefined = (all) => all,
): [Value, Dispatch<SetStateAction<Value>>] {
  const store = useContext(Store)
  const find = () => {
    const kept = place === undefined ? undefined : store?.read(place)
    return fits(kept, start) ? { value: kept, isFound: true } : { value: start, isFound: false }
  }
  const [first] = useState(find)
  const [value, setValue] = useState<Value>(first.value)
  // The place can change under what is typed: what is kept is kept where it was typed.
  const latest = useRef({ ...first, place, start, storable, find })
  Object.assign(latest.current, { place, start, storable, find })
  const set = useCallback(
    (next: SetStateAction<Value>) => {
      const { place, value: before, start, storable } = latest.current
      const value = typeof next === 'function' ? (next as (before: Value) => Value)(before) : next
      Object.assign(latest.current, { value, isFound: false })
      setValue(value)
      if (place === undefined) return
      if (isSameJson(value, start)) store?.write(place, undefined, undefined)
      else store?.write(place, value, storable(value))
    },
    [store],
  )
  useEffect(() => {
    if (place === undefined) return
    return store?.follow(place, () => {
      const { value, start, storable, find, isFound } = latest.current
      const now = find()
      if (isFound) {
        Object.assign(latest.current, now)
        setValue(now.value)
      } else if (!now.isFound && !isSameJson(value, start)) {
        // The other tab has sent its own.
        store.write(place, value, storable(value))
      }
    })
  }, [store, place])
  return [value, set]
}

/** Where things are kept, without a state; undefined where nothing is. */
export const useKeptStore = () => useContext(Store)

/** As `storable`: nothing of it outlives the page. */
export function untilReload(): undefined {}

/** Whether something was kept at a place when this was first drawn. */
export function useWasKept(place: string): boolean {
  const store = useContext(Store)
  return useState(() => store?.read(place) !== undefined)[0]
}

/** Returns what forgets all that is kept at a place, and at those below it. */
export function useForget(): (place: string) => void {
  const store = useContext(Store)
  return useCallback((place) => store?.forget(place), [store])
}

/** Where what is typed into the card of an open item is kept. */
export function placeOf({ itemId, messageId }: Pending): string {
  return `item ${messageId} ${itemId}`
}

/** Whether what was kept, perhaps by an earlier version of the app, has the form of what is there at the start. */
function fits<Value>(kept: unknown, start: Value): kept is Value {
  if (typeof kept !== typeof start || Array.isArray(kept) !== Array.isArray(start)) return false
  if (typeof start !== 'object' || start === null || Array.isArray(start)) return true
  if (typeof kept !== 'object' || kept === null) return false
  return Object.entries(start).every(([name, value]) => fits((kept as Record<string, unknown>)[name], value))
}
