/**
 * Timeouts that must stay in this order, in milliseconds. The code nearest to an effect gives up first, so that its caller
 * still learns what it knows about the effect.
 */
export const timeouts = {
  /** How long a function may look at what an approval relies on: the card waits for it. */
  lookMs: 2_000,
  /** How long a run waits for that: 3 s more, if the function has to start first. */
  lookCallMs: 5_000,
  /** How long an integration waits for its provider, for example a mail server. */
  providerMs: 25_000,
  /** How long a function may take for one call: 5 s more, to report on a provider that stopped answering. */
  functionMs: 30_000,
  /** How long a run waits for a tool: 5 s more, to ask the ledger about a write whose function stopped answering. */
  toolMs: 35_000,
  /** After this, a write that a function started and never settled is unknown: no function works on a call that long. */
  effectLeaseMs: 35_000,
  /** After this, a claimed write that was never settled is unknown: longer than any tool, so its process is dead. */
  claimLeaseMs: 40_000,
} as const

/** The same for a run as a whole: hosted functions must answer within 150 s. */
export const runTimeouts = {
  /** A running run reports this often. */
  heartbeatMs: 5_000,
  /** A run without a report for this long is interrupted: two heartbeats may get lost. */
  leaseMs: 15_000,
  /** How long a run may work. */
  workMs: 120_000,
  /** How long a request that joins another process's run waits: 20 s more, for the run to be stored. */
  joinMs: 140_000,
} as const

/** The same for a request's body, while it arrives. */
export const bodyTimeouts = {
  /** A large body that takes this long per MiB makes room for another that needs it. */
  slowMs: 5_000,
  /** A body is given up after this long without data. */
  silenceMs: 10_000,
  /** The whole body may take this long: 32 MiB at 2.2 Mbit/s. */
  wholeMs: 120_000,
} as const
