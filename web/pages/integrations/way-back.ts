/** The state of the history entry that the link back to a card's page makes. */
export const wayBack = { isBack: true }

/** Whether the user has come to this page by that link. */
export function cameBack(): boolean {
  return (history.state as Partial<typeof wayBack> | null)?.isBack === true
}
