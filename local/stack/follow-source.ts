import { existsSync } from 'node:fs'
import type { FunctionHost } from '../functions/function-host.ts'
import { watchFolders } from '../functions/watch-folders.ts'
import { followIntegrations } from '../integrations/follow-integrations.ts'

/** Applies changes of the source to a running stack: functions start their new code, the catalogue gets new tools. */
export function followSource(options: {
  functions: FunctionHost
  functionsDirectory: string
  /** The code that functions share. */
  sharedDirectory: string
  /** The folder with the catalogue, if it is generated from these functions. */
  supabaseDirectory?: string | undefined
  databaseUrl: string
}): { close(): Promise<void> } {
  const { functions, functionsDirectory, sharedDirectory, supabaseDirectory, databaseUrl } = options
  const integrations = supabaseDirectory ? followIntegrations(supabaseDirectory, databaseUrl) : undefined
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
