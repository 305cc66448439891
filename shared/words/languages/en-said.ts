import type { Said } from '../said.ts'
import { approvals } from '../sentences/approvals.ts'
import { waits } from '../sentences/waits.ts'

/** English sentences that are worded here and not by the server: they show values as a card does, or times in the reader's time zone. */
export const englishSaid: Said = {
  changed: approvals.en.changed,
  wait_budget: waits.en.wait_budget,
}
