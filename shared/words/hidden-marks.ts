/** Reverse the reading direction: `moc.live` reads as `evil.com`. Unicode 16, Bidi_Control without the plain marks. */
const turning = /[\u202A-\u202E\u2066-\u2069]/
/** Marks that reorder the text next to them; normal in right-to-left text. */
const plainMark = /[\u061C\u200E\u200F]/
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Invisible characters: control characters, and those that Unicode renders as nothing. */
const unseen = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\t|\n|\r\n)\p{Cc}/gu

/** Where such a character is a normal part of the text. */
const atHome = [
  // Joiners: used in emoji and many scripts, but not between Latin letters.
  /(?<![!-~])[\u200C\u200D](?![!-~])/uy,
  // Emoji presentation.
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})[\uFE0E\uFE0F]|\uFE0F(?=\u20E3)/uy,
  // Flags of subdivisions such as Scotland.
  /(?<=\u{1F3F4}[\u{E0020}-\u{E007F}]{0,6})[\u{E0020}-\u{E007F}]/uy,
  // Variants of one letter: Chinese, Mongolian, Hebrew with several points.
  /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]|(?<=\p{M})\u034F/uy,
]

/** Finds the invisible characters in a text. */
function findHidden(text: string): RegExpExecArray[] {
  const isRightToLeft = rightToLeft.test(text)
  const isAtHome = (index: number) =>
    atHome.some((place) => {
      place.lastIndex = index
      return place.test(text)
    })
  return [...text.matchAll(unseen)].filter(
    ({ 0: found, index }) => !(isRightToLeft && plainMark.test(found)) && !isAtHome(index),
  )
}

/** A piece of text, or what the invisible characters there do. */
export type Stretch = { text: string } | { mark: 'turns' | 'unseen' }

/** Splits a text so that its invisible characters can be displayed. */
export function markHidden(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let end = 0
  for (const { 0: found, index } of findHidden(text)) {
    const isTurning = turning.test(found) || plainMark.test(found)
    const mark = isTurning ? 'turns' : 'unseen'
    if (index > end) stretches.push({ text: text.slice(end, index) })
    const last = stretches.at(-1)
    // A sequence of them is reported once.
    if (index > end || last === undefined || !('mark' in last) || last.mark !== mark) stretches.push({ mark })
    end = index + found.length
  }
  if (end < text.length) stretches.push({ text: text.slice(end) })
  return stretches
}

/** Removes invisible characters, for text that is read but not sent. */
export function withoutHidden(text: string): string {
  return markHidden(text)
    .map((stretch) => ('text' in stretch ? stretch.text : ''))
    .join('')
}

/** Whether an address mixes alphabets, so that it may only look like another one. */
export function mixesAlphabets(address: string): boolean {
  return (
    /^\S+@\S+$/.test(address) &&
    /\p{Script=Latin}/u.test(address) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(address)
  )
}
