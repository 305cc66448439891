import { z } from 'zod'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { cutText, type FileReading } from './file-reading.ts'

/** Milliseconds; the other function stops by itself after less. */
const timeoutMs = 8000

const answerSchema = z.object({ text: z.string(), pages: z.number(), readPages: z.number() })

/** What reading a PDF needs: where functions are, in whose name they are called. */
export interface PdfReader {
  functionsUrl: string
  headersFor(tool: string, args: Record<string, unknown>, key: string): Promise<Record<string, string>>
  fetch: typeof fetch
}

/**
 * Reads a PDF by way of the function `file-text`, which may break down over it. Undefined where nobody knows what is in it
 * yet: it can be tried again.
 */
export async function readPdf(
  file: { id: string; bytes: Uint8Array<ArrayBuffer> },
  { functionsUrl, headersFor, fetch: send }: PdfReader,
): Promise<FileReading | undefined> {
  try {
    const authority = await headersFor('read_file_text', { file: file.id }, file.id)
    const response = await send(`${functionsUrl}/file-text?file=${file.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf', ...authority },
      body: new Blob([file.bytes]),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 422) return { note: 'It is broken or locked, so its text cannot be read.' }
    if (!response.ok) throw new Error(`file-text answered ${response.status}.`)
    const { text, pages, readPages } = answerSchema.parse(await response.json())
    if (text === '') return { note: 'There is no text in it, perhaps only pictures.' }
    const others =
      readPages < pages ? `It has ${pages} pages; no more than the first ${readPages} were read.` : ''
    return cutText(text, others)
  } catch (error) {
    writeLog('pdf-not-read', { file: file.id }, error)
    return undefined
  }
}
