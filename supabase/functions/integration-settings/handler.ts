import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { keepAlive } from '../../../shared/server/http/keep-alive.ts'
import { type ProjectWords, useProjectWords } from '../../../shared/server/reader/project-words.ts'
import { createApp } from './app.ts'
import { readDependencies } from './dependencies.ts'

/** What `index.ts` serves, with the project's own words. Throws an Error that names a missing variable. */
export function createHandler(env: Environment, words: ProjectWords = {}) {
  useProjectWords(words)
  return createApp(readDependencies(env, keepAlive)).fetch
}
