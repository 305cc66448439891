/**
 * Where the newest open questions among these messages begin: at the list of several approvals, or at the first card.
 * What its user has written on from is no longer new.
 */
export function findAsked(messages: ParentNode): HTMLElement | undefined {
  const all = [...messages.querySelectorAll<HTMLElement>('[data-message]')]
  const begin = all.findLastIndex(({ dataset }) => dataset.role === 'user') + 1
  const places = all.slice(begin).map((one) => one.querySelector<HTMLElement>(asking))
  return places.findLast((place) => place !== null) ?? undefined
}

/** A card that is decided is hidden. */
const asking = '.askback-several, :not([hidden]) > .askback-question'
