/** Turn the direction of reading: `moc.live` is read as `evil.com`. Unicode 16, Bidi_Control without the plain marks. */
const turning = /[\u202A-\u202E\u2066-\u2069]/
/** Marks that reorder the text beside them; they belong to texts written from right to left. */
const plainMark = /[\u061C\u200E\u200F]/
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Characters that are there but not seen: control characters, and those that Unicode draws as nothing. */
const unseen = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\t|\n|\r\n)\p{Cc}/gu

/** Where such a character is a normal part of the text. */
const atHome = [
  // Joiners: in emoji and many scripts, but not between Latin letters.
  /(?<![!-~])[\u200C\u200D](?![!-~])/uy,
  // How an emoji looks.
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})[\uFE0E\uFE0F]|\uFE0F(?=\u20E3)/uy,
  // The flags of countries within countries.
  /(?<=\u{1F3F4}[\u{E0020}-\u{E007F}]{0,6})[\u{E0020}-\u{E007F}]/uy,
  // Variants of one letter: Chinese, Mongolian, Hebrew with several points.
  /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]|(?<=\p{M})\u034F/uy,
]

/** Where a text holds something that cannot be seen. */
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

/** A stretch of a text: as it is, or what the characters do that cannot be seen. */
export type Stretch = { text: string } | { mark: 'turns' | 'unseen' }

/** A text in stretches, so that what cannot be seen in it can be shown. */
export function markHidden(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let end = 0
  for (const { 0: found, index } of findHidden(text)) {
    const isTurning = turning.test(found) || plainMark.test(found)
    const mark = isTurning ? 'turns' : 'unseen'
    if (index > end) stretches.push({ text: text.slice(end, index) })
    const last = stretches.at(-1)
    // A row of them is told once.
    if (index > end || last === undefined || !('mark' in last) || last.mark !== mark) stretches.push({ mark })
    end = index + found.length
  }
  if (end < text.length) stretches.push({ text: text.slice(end) })
  return stretches
}

/** A text without what cannot be seen in it: for words that are read and not sent. */
export function withoutHidden(text: string): string {
  return markHidden(text)
    .map((stretch) => ('text' in stretch ? stretch.text : ''))
    .join('')
}

/** Whether an address has mixed alphabets, so that one may only look like another. */
export function mixesAlphabets(address: string): boolean {
  return (
    /^\S+@\S+$/.test(address) &&
    /\p{Script=Latin}/u.test(address) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(address)
  )
}
