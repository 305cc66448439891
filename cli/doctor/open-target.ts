import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { openDatabase } from './open-database.ts'
import { openLinked } from './open-linked.ts'
import type { Target } from './target.ts'

/**
 * What the command is to look at besides the files: the linked project, the database of `--db-url`, else a running
 * `askback dev`, if there is one.
 */
export async function openTarget(project: string, call: Call): Promise<Target> {
  const url = call.valueOf('db-url')
  if (call.isOn('linked') && url) throw new Refusal('--linked and --db-url exclude each other.')
  if (call.isOn('linked')) return await openLinked(project)
  if (url) return { kind: 'database', ...(await openDatabase(url)) }
  const running = readStack(project)
  if (!running) return { kind: 'files', close: async () => {} }
  return { kind: 'dev', ...running, ...(await openDatabase(running.databaseUrl)) }
}

interface RunningStack {
  url: string
  publishableKey: string
  databaseUrl: string
}

/** `stack.json` of a stack whose process is there. */
function readStack(project: string): RunningStack | undefined {
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
