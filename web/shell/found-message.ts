export const foundPrefix = '#message-'
export const foundEvent = 'askback:found'

/** The part of a conversation's address that names a message in it. */
export const foundMessage = (id: string): string => `${foundPrefix}${encodeURIComponent(id)}`

/** Tells the open chat page to go to the message that its address names, even if it named that one before. */
export function showFound(): void {
  window.dispatchEvent(new Event(foundEvent))
}
