import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { identifyProcess } from '../process/running-process.ts'
import { StartError } from '../process/start-error.ts'

/** The folder of one stack. Only one stack at a time can hold it. */
export interface DataDirectory {
  path: string
  /** Releases the folder for another stack. */
  close(): void
}

/**
 * Creates the folder, which git ignores, and locks it for this process. The lock of a stack that was killed is taken
 * over.
 * @throws {StartError} when another stack holds it, or it cannot be written
 */
export function openDataDirectory(path: string): DataDirectory {
  try {
    makeFolder(path)
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be created: ${(error as Error).message}.`)
  }
  const lock = join(path, 'lock')
  const owner = acquireLock(lock)
  if (owner !== undefined) {
    const url = readStackUrl(path)
    throw new StartError(
      `Askback is already running${url ? ` at ${url}` : ''} (process ${owner}) with the data directory ${path}. Stop it first, or set ASKBACK_DATA_DIR and ASKBACK_PORT to run a second one.`,
    )
  }
  writeFileSync(join(path, '.gitignore'), '*\n')
  return { path, close: () => rmSync(lock, { force: true }) }
}

/** `mkdirSync` with `recursive` never returns below /proc, where nothing can be created. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** Writes a file atomically that only its owner may read. */
export function writePrivateFile(path: string, text: string): void {
  const unfinished = `${path}.${randomUUID()}`
  writeFileSync(unfinished, text, { mode: 0o600 })
  renameSync(unfinished, path)
}

/** Returns the process id of the stack that holds the lock; undefined when the lock is now ours. */
function acquireLock(lock: string): number | undefined {
  const ours = `${lock}.${randomUUID()}`
  try {
    writeFileSync(ours, identifyProcess(process.pid) ?? '', { mode: 0o600 })
  } catch (error) {
    throw new StartError(`The data directory is not writable: ${(error as Error).message}.`)
  }
  try {
    for (;;) {
      try {
        linkSync(ours, lock)
        return undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const owner = readHolder(lock)
      if (owner !== undefined) return owner
      removeStaleLock(lock)
    }
  } finally {
    rmSync(ours, { force: true })
  }
}

/** Moves the lock away before checking it again: meanwhile another stack may have put its own there. */
function removeStaleLock(lock: string): void {
  const stale = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, stale)
  } catch {
    return
  }
  if (readHolder(stale) === undefined) rmSync(stale)
  else renameSync(stale, lock)
}

function readHolder(lock: string): number | undefined {
  try {
    const owner = readFileSync(lock, 'utf8')
    const pid = Number.parseInt(owner, 10)
    return identifyProcess(pid) === owner ? pid : undefined
  } catch {
    return undefined
  }
}

function readStackUrl(path: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(path, 'stack.json'), 'utf8')).url
  } catch {
    return undefined
  }
}
