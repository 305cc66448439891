/** What a sentence of the protocol begins with when it is a question; everything else is a plain sentence. */
const mark = /^\s*Question:\s*/

/** True for a sentence that says of itself that it is a question. */
export function isMarked(sentence: string): boolean {
  return mark.test(sentence)
}

/** A sentence as a person reads it. */
export function withoutMark(sentence: string): string {
  return sentence.replace(mark, '')
}
