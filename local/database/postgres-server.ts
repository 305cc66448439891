import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../process/start-error.ts'
import type { OperatingUser } from './operating-user.ts'

/** PostgreSQL must not read our PG… variables, and writes its messages in English, like ours. */
const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

/** Keeps an idle server small: no Unix socket, no replication, no idle worker processes. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
}

const startTimeoutMs = 60_000

/** Hosted projects have one of this name, besides the role `postgres`, which is none. */
export const superuser = 'supabase_admin'

/** The major version of the PostgreSQL in a folder. */
export function readVersion(binaries: string): number {
  const text = execFileSync(join(binaries, 'bin/postgres'), ['--version'], { encoding: 'utf8', cwd: '/' })
  return Number(/\d+/.exec(text)?.[0])
}

/** Creates the data directory atomically, so that an attempt that was killed leaves no half of one. */
export async function createCluster(
  user: OperatingUser,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const unfinished = `${user.directory}.new`
  const passwordFile = `${user.directory}.password`
  rmSync(unfinished, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.identity.uid !== undefined && user.identity.gid !== undefined) {
    chownSync(unfinished, user.identity.uid, user.identity.gid)
    chownSync(passwordFile, user.identity.uid, user.identity.gid)
  }
  const [command, ...words] = buildCommand(user, 'initdb', [
    `--pgdata=${unfinished}`,
    `--pwfile=${passwordFile}`,
    `--username=${superuser}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // By this one, search finds words with an umlaut in any case, before PostgreSQL 18.
    `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
    ...(readVersion(user.binaries) >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
    '--no-instructions',
    '--no-sync',
  ])
  const initdb = promisify(execFile)(command, words, { env: environment, cwd: '/', ...user.identity })
  // The `signal` of execFile does not wait until the process has ended.
  const stop = () => initdb.child.kill()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    await initdb
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    const reason = lastLines(`${stdout}${stderr}`) || message
    throw new StartError(`PostgreSQL could not create its data directory ${user.directory}: ${reason}`)
  } finally {
    signal.removeEventListener('abort', stop)
    rmSync(passwordFile, { force: true })
  }
  renameSync(unfinished, user.directory)
}

/**
 * Starts the server and waits until it accepts connections.
 * @throws {StartError} with the last lines of its log when it ends before that
 */
export async function startServer(
  user: OperatingUser,
  port: number,
  logFile: string,
  signal: AbortSignal,
): Promise<ChildProcess> {
  const [command, ...words] = buildCommand(user, 'postgres', [
    '-D',
    user.directory,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const log = openSync(logFile, 'w', 0o600)
  const server = spawn(command, words, {
    env: environment,
    cwd: '/',
    stdio: ['ignore', log, log],
    ...user.identity,
  })
  closeSync(log)
  let ended = false
  let failure: string | undefined
  server.once('exit', () => {
    ended = true
  })
  server.once('error', ({ message }) => {
    ended = true
    failure = message
  })
  const deadline = Date.now() + startTimeoutMs
  let killed: string | undefined
  while (!isReady(user.directory, server.pid)) {
    if (ended) {
      const reason = killed ?? failure ?? lastLines(readFileSync(logFile, 'utf8'))
      throw new StartError(`PostgreSQL did not start: ${reason}`)
    }
    if (killed === undefined && (signal.aborted || Date.now() > deadline)) {
      killed = signal.aborted ? 'it was stopped' : `it was not ready after ${startTimeoutMs / 1000} s`
      server.kill('SIGQUIT')
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return server
}

/** Line 1 of postmaster.pid is the process id, line 8 its state. */
function isReady(directory: string, pid: number | undefined): boolean {
  const lines = readPostmasterFile(directory)
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

export function readPostmasterFile(directory: string): string[] {
  const path = join(directory, 'postmaster.pid')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

function buildCommand(user: OperatingUser, program: string, words: string[]): [string, ...string[]] {
  const path = join(user.binaries, 'bin', program)
  const [first, ...rest] = user.prefix
  return first === undefined ? [path, ...words] : [first, ...rest, path, ...words]
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join('\n')
}
