import { useLocationProperty } from 'wouter/use-browser-location'

const prefix = '#message-'

/** The part of a conversation's address that names a message in it. */
export const foundMessage = (id: string): string => `${prefix}${encodeURIComponent(id)}`

/** That part of the page's address; undefined if it names none. Not decoded: anybody can write an address. */
export function useFoundMessage(): string | undefined {
  const hash = useLocationProperty(() => location.hash)
  return hash.startsWith(prefix) ? hash : undefined
}
