/**
 * Times that must stay in this order, in milliseconds. Whoever is nearer to an effect gives up first, so that what it
 * knows of the effect is still heard by whoever waits for it.
 */
export const timeouts = {
  /** An integration waits so long for its provider, a mail server for example. */
  providerMs: 25_000,
  /** A function may take so long for one call: 5 s more, to say what became of a provider that fell silent. */
  functionMs: 30_000,
  /** A run waits so long for a tool: 5 s more, to ask the ledger about a write whose function fell silent. */
  toolMs: 35_000,
  /** A write that a function began and never settled is unknown then: no function works on a call as long as that. */
  effectLeaseMs: 35_000,
  /** A claim of a run whose write was never settled is lost then: longer than any tool, so only a dead process loses it. */
  claimLeaseMs: 40_000,
} as const

/** The same for a run as a whole: hosted functions must answer within 150 s. */
export const runTimeouts = {
  /** A working run says so as often as this. */
  heartbeatMs: 5_000,
  /** A run that was not heard of for so long is interrupted: two heartbeats may get lost. */
  leaseMs: 15_000,
  /** A run may work so long. */
  workMs: 120_000,
  /** A request that joins a run of another process waits so long: 20 s more, for the run to be stored. */
  joinMs: 140_000,
} as const

/** The same for a request's body, while it arrives. */
export const bodyTimeouts = {
  /** A large body of which a MiB takes so long makes room for another that needs it. */
  slowMs: 5_000,
  /** A body of which nothing more comes for so long is given up. */
  silenceMs: 10_000,
  /** The whole of it may take so long: 32 MiB at 2.2 Mbit/s. */
  wholeMs: 120_000,
} as const
