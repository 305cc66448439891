import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { createApp } from './app.ts'
import { readDependencies } from './turn/dependencies.ts'

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined

const keepAlive = (work: Promise<unknown>) => {
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime?.waitUntil(work)
}

/** What `index.ts` serves. Throws an Error that names a missing variable. */
export function createHandler(env: Environment) {
  return createApp(readDependencies(env, keepAlive)).fetch
}
