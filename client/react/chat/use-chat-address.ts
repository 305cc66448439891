import { useLayoutEffect, useSyncExternalStore } from 'react'

const name = 'chat'
const listeners = new Set<() => void>()
/** Whose conversation the page's address names. */
let owner: string | undefined

/** The conversation in the page's address (`?chat=…`). Another user's is not opened. */
export function useChatAddress(userId: string) {
  const conversationId = useSyncExternalStore(follow, read, () => undefined)
  useLayoutEffect(() => {
    if (owner !== undefined && owner !== userId) open(undefined, 'begin')
    owner = userId
  }, [userId])
  return { conversationId, onOpen: open }
}

function read(): string | undefined {
  return new URLSearchParams(location.search).get(name) ?? undefined
}

function open(id: string | undefined, how: 'begin' | 'choose'): void {
  if (id === read()) return
  const address = new URL(location.href)
  if (id === undefined) address.searchParams.delete(name)
  else address.searchParams.set(name, id)
  history[how === 'begin' ? 'replaceState' : 'pushState'](history.state, '', address)
  for (const tell of listeners) tell()
}

function follow(tell: () => void): () => void {
  listeners.add(tell)
  window.addEventListener('popstate', tell)
  return () => {
    listeners.delete(tell)
    window.removeEventListener('popstate', tell)
  }
}
