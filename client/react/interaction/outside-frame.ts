import { useContext, useSyncExternalStore } from 'react'
import { AllowedFrames } from './allowed-frames.ts'

/**
 * The address of this page, if it stands in a frame of an origin that isn't allowed: then calls are approved in a window of
 * its own, which nobody can cover.
 */
export function useOutsideFrame(): string | undefined {
  const allowed = useContext(AllowedFrames)
  const find = () => (isAllowed(allowed) ? undefined : location.href)
  // What a server renders is pressed by nobody.
  return useSyncExternalStore(never, find, () => undefined)
}

/** Nothing around a page changes while it is open. */
const never = () => () => {}

function isAllowed(origins: readonly string[]): boolean {
  return listAround().every((origin) => origin === location.origin || origins.includes(origin))
}

/** The origins of all pages around this one; `null` for one that the browser keeps to itself. */
function listAround(): readonly string[] {
  if (window.parent === window) return []
  if (location.ancestorOrigins) return [...location.ancestorOrigins]
  const origins: string[] = []
  for (let one: Window = window; one !== one.parent; one = one.parent) origins.push(originOf(one.parent))
  return origins
}

function originOf(page: Window): string {
  try {
    return page.location.origin
  } catch {
    return 'null'
  }
}
