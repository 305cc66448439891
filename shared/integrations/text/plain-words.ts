import { countCharacters, sliceCharacters } from '../../engine/core/characters.ts'
import { withoutLinks } from '../../engine/provenance/without-links.ts'
import { withoutHidden } from '../../words/hidden-marks.ts'

/** Words of a server without what people would not see: models would read it all the same. */
export interface PlainWords {
  text: string
  isCut: boolean
}

const mayHide = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\t|\n|\r\n)\p{Cc}/u

/** At most so many characters; anything but a text is none. */
export function plainWords(given: unknown, most: number): PlainWords {
  if (typeof given !== 'string') return { text: '', isCut: false }
  const start = sliceCharacters(given, 0, most + 1)
  // What is hidden may be most of it.
  const seen = mayHide.test(start) ? withoutHidden(sliceCharacters(given, 0, 4 * most)) : start
  const text = seen.replace(/\p{Surrogate}/gu, '\ufffd').trim()
  const isCut = countCharacters(text) > most || given.length > 8 * most
  return { text: isCut ? `${sliceCharacters(text, 0, most - 1)}…` : text, isCut }
}

/** The same on one line, and without links: so people read it inside of sentences of ours. */
export function plainTitle(given: unknown, most: number): string {
  const { text } = plainWords(given, 4 * most)
  const bare = withoutLinks(text).replace(/\b[a-z][\w+.-]{0,30}:\n/gi, ' ')
  return plainWords(bare.replace(/\s+/g, ' '), most).text
}
