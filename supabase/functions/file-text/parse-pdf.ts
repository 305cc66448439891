import { getDocument } from 'unpdf/pdfjs'
import { fileLimits } from '../../../shared/server/files/file-limits.ts'

const mostPages = 200
/** Milliseconds; a function on Supabase has two seconds of CPU per request. */
const deadlineMs = 1200

/**
 * The runtime's own stream inflates in one step that cannot be stopped: gigabytes from a few kilobytes. Without it the
 * library does that itself, step by step. It then cannot read a stream that was deflated twice.
 */
Reflect.deleteProperty(globalThis, 'DecompressionStream')

/** The text of a PDF. */
export interface ParsedPdf {
  text: string
  /** Pages of the document. */
  pages: number
  /** Number of pages whose text is in `text`. */
  readPages: number
}

/** Extracts text until it reaches the limits. Rejects if the PDF is damaged or locked with a password. */
export async function parsePdf(bytes: Uint8Array<ArrayBuffer>): Promise<ParsedPdf> {
  const deadline = performance.now() + deadlineMs
  const loading = getDocument({
    data: bytes,
    verbosity: 0,
    // Nothing in a document is run, and nothing is fetched for it.
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  })
  try {
    const document = await loading.promise
    const texts: string[] = []
    let characters = 0
    const isOver = () => performance.now() > deadline || characters > fileLimits.pdfText
    while (texts.length < Math.min(document.numPages, mostPages) && !isOver()) {
      const page = await document.getPage(texts.length + 1)
      const text = await readPage(page.streamTextContent(), isOver)
      page.cleanup()
      characters += text.length
      texts.push(text)
    }
    const text = texts.join('\n\n').trim()
    return { text, pages: document.numPages, readPages: texts.length }
  } finally {
    await loading.destroy()
  }
}

interface TextChunk {
  items: readonly { str?: string; hasEOL?: boolean }[]
}

async function readPage(stream: ReadableStream<TextChunk>, isOver: () => boolean): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    for (const { str = '', hasEOL } of value.items) text += hasEOL ? `${str}\n` : str
    if (isOver()) {
      await reader.cancel(new Error('Enough was read.')).catch(() => {})
      return text
    }
  }
}
