import process from 'node:process'
import type { ParsedPdf } from './parse-pdf.ts'

/**
 * Milliseconds that one document may take (parsing stops by itself after half of that, unless a single page takes it
 * all), and bytes by which the process may grow meanwhile: as much as Supabase gives a whole function.
 */
const limits = { ms: 2500, bytes: 256 * 1024 * 1024 }
/** Milliseconds between two checks of the memory, in which a document can fill about 1 MB. */
const checkMs = 10
/** Milliseconds in which the response can still be sent. */
const exitDelayMs = 50

/**
 * Parses a PDF in a worker. Rejects if it cannot be parsed, or as soon as it takes too much: then the process exits,
 * because Deno lets a terminated worker run on for two seconds. The next document gets a new process.
 */
export async function parseInWorker(
  bytes: Uint8Array<ArrayBuffer>,
  endProcess: () => void = endSoon,
): Promise<ParsedPdf> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  const allowed = { until: performance.now() + limits.ms, rss: process.memoryUsage().rss + limits.bytes }
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    return await new Promise<ParsedPdf>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ParsedPdf | undefined>) =>
        data ? resolve(data) : reject(new Error('This PDF cannot be read.'))
      worker.onerror = (event) => {
        // Otherwise the process would end with it.
        event.preventDefault()
        reject(new Error(`The thread broke down: ${event.message}`))
      }
      timer = setInterval(() => {
        const isLate = performance.now() > allowed.until
        if (!isLate && process.memoryUsage().rss <= allowed.rss) return
        reject(new Error(`This PDF takes too ${isLate ? 'long' : 'much memory'} to read.`))
        clearInterval(timer)
        endProcess()
      }, checkMs)
      worker.postMessage(bytes, [bytes.buffer])
    })
  } finally {
    clearInterval(timer)
    worker.terminate()
  }
}

function endSoon(): void {
  setTimeout(() => process.exit(1), exitDelayMs)
}
