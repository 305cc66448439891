import process from 'node:process'
import type { PdfText } from './pdf-text.ts'

/**
 * Milliseconds that one document may take (reading stops by itself after half of that, unless one page takes it all), and
 * bytes by which the process may grow meanwhile: what Supabase gives a whole function.
 */
const limits = { ms: 2500, bytes: 256 * 1024 * 1024 }
/** Milliseconds between two looks at the memory, of which a document can fill about 1 MB in each. */
const lookMs = 10
/** Milliseconds for the answer to leave. */
const farewellMs = 50

/**
 * Reads a PDF in a thread. Rejects where the PDF cannot be read, and as soon as it takes too much: then the process ends,
 * because Deno lets a thread that is told to end work on for two seconds. The next document gets a new process.
 */
export async function readInThread(
  bytes: Uint8Array<ArrayBuffer>,
  endProcess: () => void = endSoon,
): Promise<PdfText> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  const allowed = { until: performance.now() + limits.ms, rss: process.memoryUsage().rss + limits.bytes }
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PdfText | undefined>) =>
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
      }, lookMs)
      worker.postMessage(bytes, [bytes.buffer])
    })
  } finally {
    clearInterval(timer)
    worker.terminate()
  }
}

function endSoon(): void {
  setTimeout(() => process.exit(1), farewellMs)
}
