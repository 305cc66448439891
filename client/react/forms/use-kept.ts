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
import type { Pending } from '../../api/message.ts'
import type { KeptStore } from '../../kept-store.ts'
import { isSameJson } from '../../values/json-text.ts'

const Store = createContext<KeptStore | undefined>(undefined)

/** Keeps what is typed inside it; without it, leaving the page loses it. */
export const KeptProvider = Store.Provider

/**
 * A state that is restored when the user comes back to its place, and removed when it returns to its initial value.
 * Without a place it is not kept. What was not typed here follows other tabs; what was stays this tab's.
 * `storable` returns the part that may outlive the page, undefined for nothing.
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
  // The place can change while somebody types: the value is kept where it was typed.
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
      if (isFound || isSameJson(value, start)) {
        Object.assign(latest.current, now)
        setValue(now.value)
      } else if (!now.isFound) {
        // The other tab has sent its value.
        store.write(place, value, storable(value))
      }
    })
  }, [store, place])
  return [value, set]
}

/** The store, without a state; undefined outside a KeptProvider. */
export const useKeptStore = () => useContext(Store)

/** Pass as `storable` to keep nothing beyond the page. */
export function untilReload(): undefined {}

/** Whether something was kept at a place on the first render. */
export function useWasKept(place: string): boolean {
  const store = useContext(Store)
  return useState(() => store?.read(place) !== undefined)[0]
}

/** Returns a function that forgets everything kept at a place and below it. */
export function useForget(): (place: string) => void {
  const store = useContext(Store)
  return useCallback((place) => store?.forget(place), [store])
}

/** Where input typed into an item's card is kept. */
export function placeOf({ itemId, messageId }: Pending): string {
  return `item ${messageId} ${itemId}`
}

/** Whether a kept value, perhaps from an older version of the app, has the shape of the initial value. */
function fits<Value>(kept: unknown, start: Value): kept is Value {
  if (typeof kept !== typeof start || Array.isArray(kept) !== Array.isArray(start)) return false
  if (typeof start !== 'object' || start === null || Array.isArray(start)) return true
  if (typeof kept !== 'object' || kept === null) return false
  return Object.entries(start).every(([name, value]) => fits((kept as Record<string, unknown>)[name], value))
}
