import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call, ExitCode } from '../command/command.ts'
import { findLocalPackage } from '../package/local-package.ts'
import { packageFolder } from '../package/package-folder.ts'

/** What `askback-local` exports. */
interface LocalStack {
  runProject(options: {
    directory: string
    resets: boolean
    servesApp: boolean
    webApp: string
    environment: NodeJS.ProcessEnv
  }): Promise<ExitCode>
}

/** `askback dev [--reset] [--app]`: the project on this machine, without Docker. */
export async function run(call: Call): Promise<ExitCode> {
  const directory = call.project()
  const folder = await findLocalPackage(directory)
  const { runProject }: LocalStack = await import(pathToFileURL(join(folder, 'dev.js')).href)
  const code = await runProject({
    directory,
    resets: call.isOn('reset'),
    servesApp: call.isOn('app'),
    webApp: join(packageFolder, 'web'),
    environment: process.env,
  })
  // The channel to a program that started it, like a test, would keep it alive.
  process.exit(code)
}
