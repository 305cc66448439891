import { spawnSync } from 'node:child_process'
import { existsSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitForEnd } from '../process/running-process.ts'
import { StartError } from '../process/start-error.ts'
import { readPostmasterFile } from './postgres-server.ts'

/**
 * Stops the server that a killed stack left running on this data directory. When the process id belongs to something
 * else by now, that process is left alone and the stale file is removed.
 */
export async function endOrphan(directory: string): Promise<void> {
  const pid = Number(readPostmasterFile(directory)[0])
  if (!pid || !isAlive(pid)) return
  if (!servesDirectory(pid, directory)) {
    rmSync(join(directory, 'postmaster.pid'), { force: true })
    return
  }
  // Fast shutdown, then immediate shutdown, then SIGKILL.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal)
    if (await waitForEnd(pid, 5000)) return
  }
  throw new StartError(
    `A PostgreSQL server left over from an earlier start (process ${pid}) does not stop. Kill it, then start again.`,
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The working directory of a postmaster is its data directory; where that is unknown, its command line names it. */
function servesDirectory(pid: number, directory: string): boolean {
  const real = realpathSync(directory)
  if (existsSync('/proc/self/cwd')) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === real
    } catch {
      return false
    }
  }
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return command.includes(directory) || command.includes(real)
}
