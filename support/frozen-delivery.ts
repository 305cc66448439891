import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect } from 'vitest'

/** Linux alone tells what a process has not read yet. */
export const tellsUnread = process.platform === 'linux'

const listening = '0A'

/**
 * Waits until a request has arrived at a process that stands still: its bytes lie in the kernel, unread, and stay
 * there whatever becomes of their sender. Sockets are read from Linux's `/proc/PID/net/tcp` (proc_pid_net(5)).
 * @throws {Error} when none has come within the time of `expect.poll`
 */
export async function waitForDelivery(pid: number): Promise<void> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => inodeOf(`/proc/${pid}/fd/${fd}`)))
  const ports = sockets(pid)
    .filter(({ state, inode }) => state === listening && own.has(inode))
    .map(({ port }) => port)
  const unread = () =>
    sockets(pid).filter(({ port, state, bytes }) => ports.includes(port) && state !== listening && bytes > 0)
  await expect.poll(() => unread().length, { message: `requests at process ${pid}` }).toBeGreaterThan(0)
}

function inodeOf(fd: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(fd))?.[1]
  } catch {
    // It was closed meanwhile.
    return undefined
  }
}

function sockets(pid: number) {
  return ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/${pid}/net/${file}`, 'utf8')
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => {
        const [, local = '', , state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/)
        return {
          port: local.split(':')[1],
          state,
          bytes: Number.parseInt(queues.split(':')[1] ?? '0', 16),
          inode,
        }
      }),
  )
}
