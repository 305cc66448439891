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
  /** All text of the document is in `text`. */
  isWhole: boolean
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
    let isWhole = true
    const isOver = () => performance.now() > deadline || characters > fileLimits.pdfText
    while (texts.length < Math.min(document.numPages, mostPages) && !isOver()) {
      const page = await document.getPage(texts.length + 1)
      const { text, isEnd } = await readPage(page.streamTextContent(), isOver)
      page.cleanup()
      characters += text.length
      texts.push(text)
      isWhole &&= isEnd
    }
    const text = texts.join('\n\n').trim()
    const [pages, readPages] = [document.numPages, texts.length]
    return { text, pages, readPages, isWhole: isWhole && readPages === pages }
  } finally {
    await loading.destroy()
  }
}

interface TextChunk {
  items: readonly { str?: string; hasEOL?: boolean }[]
}

/** The text of a page, to its end unless the limits are reached before. */
async function readPage(
  stream: ReadableStream<TextChunk>,
  isOver: () => boolean,
): Promise<{ text: string; isEnd: boolean }> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text, isEnd: true }
    for (const { str = '', hasEOL } of value.items) text += hasEOL ? `${str}\n` : str
    if (isOver()) {
      await reader.cancel(new Error('Enough was read.')).catch(() => {})
      return { text, isEnd: false }
    }
  }
}
