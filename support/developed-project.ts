import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import postgres, { type Row } from 'postgres'
import type { StackFile } from '../local/data-directory/stack-file.ts'

/** A project that `askback dev` runs. */
export interface DevelopedProject {
  url: string
  /** What it printed. */
  lines: readonly string[]
  /** What it printed about things that went wrong. */
  problems(): string
  stack(): StackFile
  sql(statement: string): Promise<readonly Row[]>
  /** Resolves when it has ended, to its exit code. */
  stop(): Promise<number | null>
}

/** Runs `askback dev` of the package under test in a project, in which `askback-local` is installed. */
export async function develop(
  folder: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<DevelopedProject> {
  installLocalStack(folder)
  return await runDev(folder, flags, env)
}

/** The same, with whatever is installed. */
export async function runDev(
  folder: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<DevelopedProject> {
  const command = join(process.env.ASKBACK_TEST_PACKAGE ?? '', 'bin/askback.js')
  const child = spawn(process.execPath, [command, 'dev', ...flags], {
    cwd: folder,
    env: { ...process.env, ASKBACK_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line)
      const [, address] = /^ready (http\S+)$/.exec(line) ?? []
      if (address) resolve(address)
    })
    void ended.then(([code]) => reject(new Error(`It ended with ${code}: ${said}`)))
  })
  const stack = (): StackFile => JSON.parse(readFileSync(join(folder, '.askback/stack.json'), 'utf8'))
  return {
    url,
    lines,
    problems: () => said,
    stack,
    async sql(statement) {
      const sql = postgres(stack().databaseUrl, { max: 1 })
      return await sql.unsafe(statement).finally(() => sql.end())
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}

/** As `npm install` does it: the package, whose dependencies are found beside it. */
export function installLocalStack(folder: string): void {
  const target = join(folder, 'node_modules/askback-local')
  if (existsSync(target)) return
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(process.env.ASKBACK_TEST_LOCAL_PACKAGE ?? '', target)
}
