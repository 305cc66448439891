import { StartError } from './start-error.ts'

/** For a program of several parts that runs until it is told to stop: the error of one part does not end the others. */
export function keepRunning(): void {
  // Whatever reads our output may end before we do, and to report that would fail again, endlessly.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  // An error in a timer of one part (postgres.js, when its server dies) must not take the others down.
  process.on('uncaughtException', reportWhileRunning)
  process.on('unhandledRejection', reportWhileRunning)
}

let stopping = false

/** What is broken off by stopping, like a connection, is no news. */
function reportWhileRunning(error: unknown): void {
  if (!stopping) report(error)
}

/** Resolves after a signal, or once what started this program has ended: a program with a channel (a test), npm or npx. */
export function waitForStop(): Promise<void> {
  const parent = process.ppid
  return new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    if (process.connected === false) resolve()
    else process.once('disconnect', () => resolve())
    if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || resolve(), 1000).unref()
  }).then(() => {
    stopping = true
  })
}

/** An error that we expect is a sentence; any other is shown with where it comes from. */
export function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}
