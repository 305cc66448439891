/** Text that was typed but not sent yet, by the place where it was typed. */
export interface KeptStore {
  /** undefined if nothing is kept there. */
  read(place: string): unknown
  /** `stored` is the part that outlives the page, undefined for none. Writing undefined as `value` removes the entry. */
  write(place: string, value: unknown, stored: unknown): void
  /** Removes the entry, and all entries whose place starts with this place and a space; without a place, all of the user's. */
  forget(place?: string): void
  /** Calls back when another tab stores something else there. Returns a function that unsubscribes. */
  follow(place: string, hear: () => void): () => void
}

/** What this page has kept: the value, and the text stored for it in the browser, or null. */
const known = new Map<string, { value: unknown; text: string | null }>()
const prefix = 'askback-kept'
const longestMs = 30 * 24 * 60 * 60 * 1000

/**
 * Keeps what a user types on this device for 30 days, even after signing out. Nobody else gets to see it. If the
 * browser cannot store it (full or forbidden), it is kept as long as the page is open.
 */
export function createKeptStore(userId: string): KeptStore {
  const keyOf = (place: string) => `${prefix} ${userId} ${place}`
  forgetWhere((key) => key.startsWith(`${prefix} `) && isOld(readText(key)))

  const read = (place: string) => {
    const key = keyOf(place)
    const text = readText(key)
    const held = known.get(key)
    // Another tab may have stored something since.
    if (held && held.text === text) return held.value
    const value = readValue(text)
    known.set(key, { value, text })
    return value
  }
  return {
    read,
    write(place, value, stored) {
      const key = keyOf(place)
      const isMine = readText(key) === (known.get(key)?.text ?? null)
      if (stored !== undefined) writeText(key, JSON.stringify({ at: Date.now(), value: stored }))
      // Don't delete what another tab has stored since.
      else if (isMine) removeText(key)
      known.set(key, { value, text: readText(key) })
    },
    forget(place) {
      const first = place === undefined ? `${prefix} ${userId}` : keyOf(place)
      const isMeant = (key: string) => key === first || key.startsWith(`${first} `)
      for (const key of known.keys()) if (isMeant(key)) known.delete(key)
      forgetWhere(isMeant)
    },
    follow(place, hear) {
      const key = keyOf(place)
      const listen = (event: StorageEvent) => {
        if (event.key === key) hear()
      }
      window.addEventListener('storage', listen)
      return () => window.removeEventListener('storage', listen)
    },
  }
}

function forgetWhere(isMeant: (key: string) => boolean): void {
  for (const key of listKeys()) if (isMeant(key)) removeText(key)
}

function isOld(text: string | null): boolean {
  return !(Number(parse(text)?.at) > Date.now() - longestMs)
}

function readValue(text: string | null): unknown {
  return isOld(text) ? undefined : parse(text)?.value
}

function parse(text: string | null): { at?: unknown; value?: unknown } | undefined {
  try {
    return JSON.parse(text ?? '{}') ?? undefined
  } catch {
    return undefined
  }
}

// The browser may refuse any of these calls.

function listKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Storage is full: don't let an older text come back instead.
    removeText(key)
  }
}

function removeText(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Then nothing was stored either.
  }
}
