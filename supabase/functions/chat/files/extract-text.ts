import { z } from 'zod'
import { countCharacters } from '../../../../shared/engine/core/characters.ts'
import { upToGap } from '../../../../shared/engine/core/up-to-gap.ts'
import { beginningOf } from '../../../../shared/engine/tools/shorten-output.ts'
import { decodePage } from '../../../../shared/integrations/text/page-text.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'

/** The text of a file. `note`: a sentence on what is left out, or why there is no text. */
export const extractedTextSchema = z.object({ text: z.string().optional(), note: z.string().optional() })
export type ExtractedText = z.infer<typeof extractedTextSchema>

/** Types that contain text, whatever they are called. */
const textTypes =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|graphql)$|\+(?:json|xml)$/

/** The text of a file that is not a PDF. Unless its type says text, all of it must be valid UTF-8 without control characters. */
export function extractText(bytes: Uint8Array, mediaType: string): ExtractedText {
  const text = textTypes.test(mediaType) ? decodePage(bytes, mediaType) : decodeStrictly(bytes)
  if (text === undefined || isBinary(text)) return { note: 'Its content cannot be read here.' }
  if (text.trim() === '') return { note: 'There is no text in it.' }
  return cutText(text)
}

/**
 * A text cut to the limit, with a note that says so. `isWhole`: false if the file has more text that was not parsed;
 * `others`: a sentence about that.
 */
export function cutText(text: string, { isWhole = true, others = '' } = {}): ExtractedText {
  const beginning = beginningOf(text, fileLimits.text)
  if (isWhole && beginning === text) return { text }
  const shown = beginning === text ? text : upToGap(beginning)
  const total = `${isWhole ? '' : 'at least '}${countCharacters(text)}`
  const part = `Only the first ${countCharacters(shown)} of ${total} characters of this file are shown.`
  return { text: shown, note: [part, others, wayToRest].filter((sentence) => sentence !== '').join(' ') }
}

const wayToRest = 'To have the rest read, the user can attach it as a file of its own.'

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether it contains control characters that text never has. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text.slice(0, 100_000))
}
