import { afterAll, beforeAll } from 'vitest'

/** What a test file starts before its first test and stops after its last one: a stack, a server. */
export function useStarted<Started extends { stop(): unknown }>(start: () => Promise<Started>): Started {
  const started = {} as Started
  beforeAll(async () => {
    Object.assign(started, await start())
  })
  afterAll(() => started.stop?.())
  return started
}
