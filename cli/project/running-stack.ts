import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A running `askback dev`. */
export interface RunningStack {
  url: string
  publishableKey: string
  databaseUrl: string
}

/** What `stack.json` says, if the process that wrote it is still there. */
export function findRunningStack(project: string): RunningStack | undefined {
  const path = join(process.env.ASKBACK_DATA_DIR || join(project, '.askback'), 'stack.json')
  if (!existsSync(path)) return undefined
  const { url, publishableKey, databaseUrl, pids } = JSON.parse(readFileSync(path, 'utf8'))
  try {
    process.kill(pids.stack, 0)
  } catch {
    return undefined
  }
  return { url, publishableKey, databaseUrl }
}
