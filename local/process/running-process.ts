import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Identifies the process that has this id now by the id and its start time, so that a reused id is not mistaken for the
 * old process. Undefined when there is none (a zombie does not count).
 */
export function identifyProcess(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const startedAt = existsSync('/proc/self/stat') ? readLinuxStart(pid) : readPsStart(pid)
  return startedAt && `${pid} started ${startedAt}`
}

/**
 * Whether the process is being torn down: its threads end one by one, and until the last one has ended its sockets
 * still accept connections. Always false where the kernel does not tell (macOS).
 */
export function isEnding(pid: number): boolean {
  return existsSync('/proc/self/stat') && readLinuxStart(pid) === undefined
}

/** The 22nd field of /proc/PID/stat; the name in the second field may contain spaces and brackets. */
function readLinuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : rest[18]
  } catch {
    return undefined
  }
}

function readPsStart(pid: number): string | undefined {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
    return state?.startsWith('Z') ? undefined : start.join(' ')
  } catch {
    return undefined
  }
}

/** Resolves to whether the process ended within `timeoutMs`. For processes that are not our children. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const process = identifyProcess(pid)
  const deadline = Date.now() + timeoutMs
  while (process !== undefined && identifyProcess(pid) === process) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return true
}
