import { existsSync } from 'node:fs'
import type { FunctionHost } from '../functions/function-host.ts'
import { watchFolders } from '../functions/watch-folders.ts'
import type { CatalogueFollower } from '../integrations/follow-integrations.ts'

/** Applies changes of the source to a running stack: functions start their new code, the catalogue gets new tools. */
export function followSource(options: {
  functions: FunctionHost
  functionsDirectory: string
  /** The code that functions share. */
  sharedDirectory: string
  /** What the catalogue is made from, if it is made from these functions. */
  integrations?: CatalogueFollower | undefined
}): { close(): Promise<void> } {
  const { functions, functionsDirectory, sharedDirectory, integrations } = options
  const watching = watchFolders([functionsDirectory, sharedDirectory].filter(existsSync), (paths) => {
    functions.reload(paths)
    integrations?.follow()
  })
  return {
    async close() {
      watching.close()
      await integrations?.close()
    },
  }
}
