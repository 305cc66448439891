import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readKeys } from '../local/data-directory/keys.ts'
import type { StackFile } from '../local/data-directory/stack-file.ts'
import { projectRole } from '../local/database/hosted-project.ts'
import { superuser } from '../local/database/postgres-server.ts'
import type { InboxMessage } from '../local/inbox/inbox-message.ts'
import { identifyProcess, waitForEnd } from '../local/process/running-process.ts'
import { letDemoAgentSend } from './let-demo-agent-send.ts'
import { liftLimitsOf } from './lift-limits.ts'
import { refuseSecrets } from './planted-secrets.ts'
import { copyTemplate } from './template.ts'

/** The real local stack, as `npm start` runs it, on a free port. */
export interface TestStack {
  url: string
  keys: { publishableKey: string; secretKey: string }
  databaseUrl: string
  /** The same database as its superuser. */
  adminUrl: string
  demoUser: StackFile['demoUser']
  smtp: StackFile['smtp']
  inbox: { messages(): Promise<InboxMessage[]>; clear(): Promise<void> }
  dataDirectory: string
  /** Process ids by name, as `stack.json` has them now. */
  pids(): Record<string, number>
  /** Everything it has printed so far. */
  output(): string
  /**
   * Ends it as Ctrl-C does, removes its data directory if it was ours, and fails if a process is left, or a secret in
   * its tables or in what it has printed.
   */
  stop(): Promise<void>
  /** Ends it as a crash does: its functions end with it, its database stays for the next start on the directory. */
  kill(): Promise<void>
}

export interface StackOptions {
  /** Environment beyond ours. Model settings of the machine are not passed on; without any the demo model answers. */
  env?: Record<string, string>
  /** Another folder of functions than `supabase/functions`. */
  functionsDirectory?: string
  /** An existing data directory, which stays; by default a temporary one with a prepared database. */
  dataDirectory?: string
  /** Leaves the limits of users as they are by default. */
  keepsLimits?: boolean
  /** Leaves the demo as newcomers have it: its agent asks before it sends, and Google and search are simulated. */
  keepsDemo?: boolean
}

export const project = dirname(dirname(fileURLToPath(import.meta.url)))
const startTimeoutMs = 60_000

/** Starts a stack of its own. Safe to call many times at once; nothing of it outlives the test process. */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const ownDirectory = options.dataDirectory === undefined
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'askback-test-'))
  const isPrepared = ownDirectory && (await copyTemplate(dataDirectory))
  const begin = ownDirectory ? beginInHost : spawnStack
  const { child, output } = begin({ ...options, dataDirectory })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  try {
    await waitForReady(child, output)
  } catch (error) {
    if (isRunning()) {
      end()
      await once(child, 'exit')
    }
    if (ownDirectory) rmSync(dataDirectory, { recursive: true, force: true })
    throw error
  }
  const read = (): StackFile => JSON.parse(readFileSync(join(dataDirectory, 'stack.json'), 'utf8'))
  /** A stack that is already stopping has removed the file. */
  const readPids = () => (existsSync(join(dataDirectory, 'stack.json')) ? read().pids : {})
  const { url, publishableKey, secretKey, databaseUrl, demoUser, smtp } = read()
  if (ownDirectory && !isPrepared && !options.keepsLimits) await liftLimitsOf(databaseUrl)
  if (!options.keepsDemo) await letDemoAgentSend(databaseUrl)
  const { credentialsKeys, functionSecret, jwtSecret } = readKeys(dataDirectory)
  const secrets = [
    smtp.password,
    secretKey,
    functionSecret,
    jwtSecret,
    ...credentialsKeys.split(/[:,]/).slice(1),
  ]
  const findLeaks = () =>
    refuseSecrets({ databaseUrl, output: output(), secrets }).then(
      () => undefined,
      (error: Error) => error,
    )
  return {
    url,
    keys: { publishableKey, secretKey },
    databaseUrl,
    adminUrl: databaseUrl.replace(`//${projectRole}:`, `//${superuser}:`),
    demoUser,
    smtp,
    inbox: {
      messages: async () => (await (await fetch(`${url}/inbox/messages`)).json()) as InboxMessage[],
      clear: async () => void (await fetch(`${url}/inbox/messages`, { method: 'DELETE' })),
    },
    dataDirectory,
    pids: () => read().pids,
    output,
    async kill() {
      process.off('exit', end)
      if (!isRunning()) return
      const { postgres: _, ...ending } = readPids()
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      await Promise.all(Object.values(ending).map((pid) => waitForEnd(pid, 10_000)))
    },
    async stop() {
      process.off('exit', end)
      const processes = isRunning() ? identifyAll(readPids(), ownDirectory ? ['stack'] : []) : []
      const leaks = isRunning() ? await findLeaks() : undefined
      if (isRunning()) {
        const settled = new AbortController()
        const exit = once(child, 'exit', { signal: settled.signal })
        if (ownDirectory) await Promise.race([endInHost(child, output), exit]).finally(() => settled.abort())
        else {
          child.kill('SIGINT')
          await exit
        }
      }
      if (ownDirectory) rmSync(dataDirectory, { recursive: true, force: true })
      const left = processes.filter(([, pid, identity]) => identifyProcess(pid) === identity)
      if (leaks) throw leaks
      if (left.length > 0) throw new Error(`The stack left processes behind: ${left.map(([name]) => name)}`)
    },
  }
}

interface Running {
  child: ChildProcess
  /** Everything it has printed so far. */
  output: () => string
}

/** Starts the program without waiting for it: for tests of what it says and how it ends. */
export function spawnStack(options: StackOptions & { dataDirectory: string }): Running {
  return spawnProgram('local/start.ts', stackEnvironment(options))
}

function stackEnvironment({ dataDirectory, functionsDirectory, env, keepsDemo }: StackOptions) {
  return {
    ...baseEnvironment(),
    ASKBACK_PORT: '0',
    ...(keepsDemo ? {} : { ASKBACK_SIMULATE: '' }),
    ASKBACK_DATA_DIR: dataDirectory,
    ...(functionsDirectory ? { ASKBACK_FUNCTIONS_DIR: functionsDirectory } : {}),
    ...env,
  }
}

function baseEnvironment() {
  const { PATH, HOME, TMPDIR, ASKBACK_POSTGRES_DIR } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    ASKBACK_POSTGRES_DIR,
    // One cache for all, so that Deno reads each file of a function once.
    DENO_DIR: join(tmpdir(), 'deno'),
    // Thousands of passwords are hashed for accounts of a moment.
    LITE_AUTH_BCRYPT_COST: '4',
  }
}

function spawnProgram(path: string, env: Record<string, string | undefined>): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', path], {
    cwd: project,
    env,
    // The channel ends the stack when this process ends, however it ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return { child, output: () => text }
}

/** Processes without a stack. Loading the code of a stack takes most of the time until it is ready. */
const idleHosts: Running[] = []

function beginInHost(options: StackOptions & { dataDirectory: string }): Running {
  const host = idleHosts.pop() ?? spawnProgram('support/stack-host-process.ts', baseEnvironment())
  const before = host.output().length
  for (const part of partsOf(host.child)) part?.ref()
  host.child.send(stackEnvironment(options))
  return { child: host.child, output: () => host.output().slice(before) }
}

/** Everything by which a child keeps its parent from ending. */
function partsOf(child: ChildProcess) {
  return [child, child.channel, child.stdout as Socket | null, child.stderr as Socket | null]
}

async function endInHost(child: ChildProcess, output: () => string): Promise<void> {
  child.send('stop')
  while (!/^stopped$/m.test(output())) await once(child.stdout ?? child, 'data')
  // It ends with this process, and does not keep it.
  for (const part of partsOf(child)) part?.unref()
  idleHosts.push({ child, output })
}

async function waitForReady(child: ChildProcess, output: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      settle(() => reject(new Error(`The stack ${reason}. It said:\n${output()}`)))
    }
    const timer = setTimeout(() => fail(`was not ready after ${startTimeoutMs / 1000} s`), startTimeoutMs)
    const onData = () => {
      if (/^ready http/m.test(output())) settle(resolve)
    }
    const end = (code: number | null, signal: string | null) => fail(`ended with ${signal ?? code}`)
    // One process runs many stacks in turn: what listens has to stop listening.
    const settle = (then: () => void) => {
      clearTimeout(timer)
      child.stdout?.off('data', onData)
      child.off('exit', end)
      then()
    }
    child.stdout?.on('data', onData)
    child.once('exit', end)
  })
}

function identifyAll(
  pids: Record<string, number>,
  staying: string[],
): [name: string, pid: number, identity: string | undefined][] {
  return Object.entries(pids)
    .filter(([name]) => !staying.includes(name))
    .map(([name, pid]): [string, number, string | undefined] => [name, pid, identifyProcess(pid)])
    .filter(([, , identity]) => identity !== undefined)
}
