import { canStore } from '../../base/can-store.ts'

const placeOf = (conversationId: string) => `askback-tour ${conversationId}`

/** Which step of the tour a conversation of this tab is; undefined if it is none. */
export function tourStepOf(conversationId: string | undefined): number | undefined {
  if (conversationId === undefined || !canStore()) return undefined
  const kept = sessionStorage.getItem(placeOf(conversationId))
  return kept === null ? undefined : Number(kept)
}

export function keepTourStep(conversationId: string, step: number): void {
  if (canStore()) sessionStorage.setItem(placeOf(conversationId), String(step))
}
