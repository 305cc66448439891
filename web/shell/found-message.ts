import { useLocationProperty } from 'wouter/use-browser-location'

const prefix = '#message-'

/** The part of a conversation's address that names a message in it. */
export const foundMessage = (id: string): string => `${prefix}${encodeURIComponent(id)}`

/** The id of the message that the page's address names. */
export function useFoundMessage(): string | undefined {
  const hash = useLocationProperty(() => location.hash)
  return hash.startsWith(prefix) ? decodeURIComponent(hash.slice(prefix.length)) : undefined
}
