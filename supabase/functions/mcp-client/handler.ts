import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { createApp } from './app.ts'
import { readDependencies } from './dependencies.ts'

/** What `index.ts` serves. Throws an Error that names a missing variable. */
export function createHandler(env: Environment) {
  return createApp(readDependencies(env)).fetch
}
