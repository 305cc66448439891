import type { Call } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { findRunningStack } from '../project/running-stack.ts'
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
  const running = findRunningStack(project)
  if (!running) return { kind: 'files', close: async () => {} }
  return { kind: 'dev', ...running, ...(await openDatabase(running.databaseUrl)) }
}
