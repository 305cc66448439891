import type { PdfText } from './pdf-text.ts'

/** Milliseconds until a thread is ended: reading stops by itself after half of that, unless one page takes it all. */
const limitMs = 2500

/** Reads a PDF in a thread, which is ended when it takes too long. Rejects then, and where the PDF cannot be read. */
export async function readInThread(bytes: Uint8Array<ArrayBuffer>): Promise<PdfText> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PdfText | undefined>) =>
        data ? resolve(data) : reject(new Error('This PDF cannot be read.'))
      worker.onerror = (event) => {
        // Otherwise the process would end with it.
        event.preventDefault()
        reject(new Error(`The thread broke down: ${event.message}`))
      }
      timer = setTimeout(() => reject(new Error('This PDF takes too long to read.')), limitMs)
      worker.postMessage(bytes, [bytes.buffer])
    })
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
