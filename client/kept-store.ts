/** What is typed and not sent yet, by the place that it was typed at. */
export interface KeptStore {
  /** undefined: nothing is kept there. */
  read(place: string): unknown
  /** `stored`: what of it outlives the page, undefined for nothing. A value of undefined is not kept any more. */
  write(place: string, value: unknown, stored: unknown): void
  /** Nothing is kept there any more, nor at the places whose names begin with it and a blank. */
  forget(place: string): void
  /** Calls back when another tab has kept something else there. Returns what ends that. */
  follow(place: string, hear: () => void): () => void
}

/** What this page knows is kept: the value, and as what text it stands in the browser; null where it does not. */
const known = new Map<string, { value: unknown; text: string | null }>()
const prefix = 'askback-kept'
const longestMs = 30 * 24 * 60 * 60 * 1000

/**
 * Keeps what a user types on this device, for 30 days, also without their session. Nobody else is shown it. Where the
 * browser keeps nothing, because it is full or must not, it is kept as long as the page is open.
 */
export function createKeptStore(userId: string): KeptStore {
  const keyOf = (place: string) => `${prefix} ${userId} ${place}`
  forgetWhere((key) => key.startsWith(`${prefix} `) && isOld(readText(key)))

  const read = (place: string) => {
    const key = keyOf(place)
    const text = readText(key)
    const held = known.get(key)
    // Another tab may have kept something since.
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
      // What another tab has kept there since is not this one's to forget.
      else if (isMine) removeText(key)
      known.set(key, { value, text: readText(key) })
    },
    forget(place) {
      const first = keyOf(place)
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

/** Forgets all that is kept of a user: their account is gone. */
export function forgetUser(userId: string): void {
  const isTheirs = (key: string) => key.startsWith(`${prefix} ${userId} `)
  for (const key of known.keys()) if (isTheirs(key)) known.delete(key)
  forgetWhere(isTheirs)
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

// A browser may refuse each of these.

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
    // It is full: an older text must not come back in its place.
    removeText(key)
  }
}

function removeText(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Then nothing was kept either.
  }
}
