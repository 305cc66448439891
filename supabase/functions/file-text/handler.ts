import { readProjectRules, underRules } from '../../../shared/server/authentication/project-rules.ts'
import {
  type Environment,
  readProjectSettings,
} from '../../../shared/server/authentication/project-settings.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import { createApp } from './app.ts'
import { parseInWorker } from './parse-in-worker.ts'

/**
 * Supabase has no threads: there, the platform itself ends a process that takes too much. The library is loaded with the
 * first document, because it is large.
 */
const parseHere = async (bytes: Uint8Array<ArrayBuffer>) => (await import('./parse-pdf.ts')).parsePdf(bytes)

/** What `index.ts` serves. Throws an Error that names a missing variable. */
export function createHandler(env: Environment) {
  const hasThreads = typeof Worker === 'function' && !env.SB_REGION
  const settings = readProjectSettings(env)
  const rpc = underRules(createRpc(settings), readProjectRules(env))
  return createApp(settings, rpc, hasThreads ? parseInWorker : parseHere).fetch
}
