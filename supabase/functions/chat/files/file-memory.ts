import { fileLimits } from '../../../../shared/server/files/file-limits.ts'

/**
 * Bytes of files that this process holds at the same time, for all its runs and readers: on its way to a model a file takes
 * up to seven times its size, and a function on Supabase has 256 MB.
 */
const atOnce = 10 * 1024 * 1024
/** Milliseconds to wait for them. */
const patienceMs = 30_000

let usedBytes = 0
const waiting: { bytes: number; enter(): void }[] = []

/** The memory that files take. */
export interface FileMemory {
  free(): void
}

/** Waits until so many bytes are free, by default as many as the largest file has; undefined if they are not in time. */
export async function acquireFileMemory(bytes: number = fileLimits.file): Promise<FileMemory | undefined> {
  const isIn = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1)
      resolve(false)
      letIn()
    }, patienceMs)
    const one = {
      bytes,
      enter() {
        clearTimeout(timer)
        resolve(true)
      },
    }
    waiting.push(one)
    letIn()
  })
  if (!isIn) return undefined
  return {
    free() {
      usedBytes -= bytes
      letIn()
    },
  }
}

/** In the order in which they came, so that nobody is passed by forever. */
function letIn(): void {
  for (
    let next = waiting[0];
    next && (usedBytes === 0 || usedBytes + next.bytes <= atOnce);
    next = waiting[0]
  ) {
    waiting.shift()
    usedBytes += next.bytes
    next.enter()
  }
}
