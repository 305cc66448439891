import type { Said } from '../../core/asked.ts'

/** Why something may not be done now, because of a limit of the app's. */
export interface Throttle {
  said: Said
  /** Milliseconds since 1970: when it may be done. */
  until: number
  /** The limit, as the app names it. */
  heldBy: string
  /** The run waits until then; otherwise it ends, because its client cannot wait. */
  canWait: boolean
}

/** What the app's budget says before a request to a model. */
export interface BudgetSays {
  /** The request may not be made. */
  throttle?: Throttle
  /** What people are told besides. */
  notices: readonly Said[]
}
