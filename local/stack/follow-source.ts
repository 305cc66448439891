import type { FunctionHost } from '../functions/function-host.ts'
import { watchFolders } from '../functions/watch-folders.ts'
import { followIntegrations } from '../integrations/follow-integrations.ts'

/** Keeps a running stack like its source: functions start their new code, new tools are in the catalogue. */
export function followSource(options: {
  functions: FunctionHost
  functionsDirectory: string
  /** What functions share. */
  sharedDirectory: string
  /** Where the catalogue is, when it is made from these functions. */
  supabaseDirectory?: string | undefined
  databaseUrl: string
}): { close(): Promise<void> } {
  const { functions, functionsDirectory, sharedDirectory, supabaseDirectory, databaseUrl } = options
  const integrations = supabaseDirectory ? followIntegrations(supabaseDirectory, databaseUrl) : undefined
  const watching = watchFolders([functionsDirectory, sharedDirectory], (paths) => {
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
