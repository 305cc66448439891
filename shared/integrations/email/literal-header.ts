import { Buffer } from 'node:buffer'

/** Bytes of text in one encoded word: 60 characters of base64 and its frame stay below the 75 of RFC 2047. */
const wordBytes = 45

/**
 * A header text that mail programs show as it is. They would decode one that looks like an encoded word
 * (`=?utf-8?Q?…?=`), line breaks and all, so it is encoded itself; any other text is left to the composer.
 */
export function literalHeader(text: string): string {
  if (!text.includes('=?')) return text
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}
