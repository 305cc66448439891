/** Turn the direction of reading: `moc.live` is read as `evil.com`. Unicode 16, Bidi_Control without the plain marks. */
const turning = /[\u202A-\u202E\u2066-\u2069]/

/**
 * What is not seen but is there: control characters, characters without a width, fillers and tags. Joiners belong to
 * emoji and to many scripts, but not between Latin letters; tags belong to flags.
 */
const unseen =
  /(?!\t|\n|\r\n)\p{Cc}|[\u00AD\u115F\u1160\u180E\u200B\u2060-\u2065\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|(?<=[!-~])[\u200C\u200D]|[\u200C\u200D](?=[!-~])|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]*)[\u{E0000}-\u{E007F}]/u

const hidden = new RegExp(`${turning.source}|${unseen.source}`, 'gu')

/** A stretch of a text: as it is, or what stands for characters that cannot be seen. */
export type Stretch = { text: string } | { mark: string }

/** A text in stretches, so that what cannot be seen in it can be shown. */
export function markHidden(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(hidden)) {
    const mark = turning.test(found) ? 'reading direction turned' : 'invisible character'
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
  return text.replace(hidden, '')
}

/** Whether an address has letters of several alphabets, so that one may only look like another. */
export function mixesAlphabets(address: string): boolean {
  return (
    /^\S+@\S+$/.test(address) &&
    /\p{Script=Latin}/u.test(address) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(address)
  )
}
