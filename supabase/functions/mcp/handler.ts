import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { createApp } from './app.ts'
import { createChat } from './calls/chat.ts'
import { createService } from './calls/service.ts'
import { readDependencies } from './dependencies.ts'

/** What `index.ts` serves. Throws an Error that names a missing variable. */
export function createHandler(env: Environment) {
  const dependencies = readDependencies(env)
  const chat = createChat(dependencies)
  return createApp(dependencies, createService(chat, dependencies.rpc)).fetch
}
