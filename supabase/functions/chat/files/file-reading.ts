import { z } from 'zod'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import { decodePage } from '../../../../shared/integrations/text/page-text.ts'

/** What a model is told of a file that is no picture. `note`: a sentence on what is left out, or why there is nothing. */
export const fileReadingSchema = z.object({ text: z.string().optional(), note: z.string().optional() })
export type FileReading = z.infer<typeof fileReadingSchema>

/** Bytes of text that a model reads of one file, as of a tool's output. */
const textLimit = 32 * 1024

/** Types that hold text, whatever they are called. */
const textTypes =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|graphql)$|\+(?:json|xml)$/

/** Reads a file of text. Of another type it is one if all of it is valid UTF-8 without control characters. */
export function readTextFile(bytes: Uint8Array, mediaType: string): FileReading {
  const text = textTypes.test(mediaType) ? decodePage(bytes, mediaType) : decodeStrictly(bytes)
  if (text === undefined || isBinary(text)) return { note: 'Its content cannot be read here.' }
  if (text.trim() === '') return { note: 'There is no text in it.' }
  return cutText(text, '')
}

/** The beginning of a text that is too long, with a note on it. `others` is a sentence about what was not even looked at. */
export function cutText(text: string, others: string): FileReading {
  const shown = String(shortenOutput(text.slice(0, textLimit), textLimit).data)
  const isWhole = shown.length === text.length
  const note = [
    isWhole ? '' : `Only the first ${shown.length} of ${text.length} characters of this file are shown.`,
    others,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
  return { text: shown, ...(note ? { note } : {}) }
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Control characters that no text has. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text.slice(0, 100_000))
}
