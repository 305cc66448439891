import { z } from 'zod'
import { bodyLimits, readJson } from '../../../../shared/engine/core/outside-body.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { cutText, type ExtractedText } from './extract-text.ts'

/** Milliseconds; the other function stops by itself after less. */
const timeoutMs = 8000

const parsedSchema = z.object({
  text: z.string(),
  pages: z.number(),
  readPages: z.number(),
  // Absent until the other function is deployed too.
  isWhole: z.boolean().default(true),
})

/** How to call the function `file-text`, and for whom. */
export interface FileTextClient {
  functionUrl: (route: string) => string
  headersFor(tool: string, args: Record<string, unknown>, key: string): Promise<Record<string, string>>
  fetch: typeof fetch
}

/** The text of a PDF, from the function `file-text`, which the PDF may crash. Undefined if that failed: it can be retried. */
export async function extractPdfText(
  file: { id: string; bytes: Uint8Array<ArrayBuffer> },
  { functionUrl, headersFor, fetch: send }: FileTextClient,
): Promise<ExtractedText | undefined> {
  try {
    const authority = await headersFor('read_file_text', { file: file.id }, file.id)
    const response = await send(functionUrl(`file-text?file=${file.id}`), {
      method: 'POST',
      headers: { 'content-type': 'application/pdf', ...authority },
      body: new Blob([file.bytes]),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 422)
      return { note: 'Its text cannot be read: it is broken, locked or too much at once.' }
    if (!response.ok) throw new Error(`file-text answered ${response.status}.`)
    const { text, pages, readPages, isWhole } = parsedSchema.parse(
      await readJson(response, bodyLimits.function),
    )
    if (text === '') return { note: 'There is no text in it, perhaps only pictures.' }
    const others =
      readPages < pages ? `It has ${pages} pages; no more than the first ${readPages} were read.` : ''
    return cutText(text, { isWhole, others })
  } catch (error) {
    writeLog('pdf-not-read', { file: file.id }, error)
    return undefined
  }
}
