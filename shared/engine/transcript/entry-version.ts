import type { Entry } from './entry.ts'

/** Turns entries of an older format into the one of `version`, the version of the schema whose code first reads it. */
export interface EntryUpgrade {
  version: number
  upgrade: (entry: Entry) => Entry
}

/** Every change of the format so far, oldest first. How to make one: docs/upgrading.md. */
const upgrades: readonly EntryUpgrade[] = []

/** A stored entry in the format of this code, or undefined if newer code wrote it. An entry without a version is of 1. */
export function upgradeEntry(
  entry: Entry & { version?: number },
  steps: readonly EntryUpgrade[] = upgrades,
): Entry | undefined {
  const { version = 1 } = entry
  if (version > (steps.at(-1)?.version ?? 1)) return undefined
  return steps
    .filter((step) => step.version > version)
    .reduce<Entry>((older, { upgrade }) => upgrade(older), entry)
}
