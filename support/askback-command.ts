import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface CommandOutcome {
  code: number | null
  stdout: string
  stderr: string
}

/** The folder of the built package, which tests share. */
export const builtPackage = () => process.env.ASKBACK_TEST_PACKAGE ?? ''

/** Runs `askback` as the package has it, in a folder. */
export async function askback(
  folder: string,
  words: string[],
  env: Record<string, string> = {},
): Promise<CommandOutcome> {
  const command = join(builtPackage(), 'bin/askback.js')
  const child = spawn(process.execPath, [command, ...words], { cwd: folder, env: { ...process.env, ...env } })
  child.stdin.end()
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
