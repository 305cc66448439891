/** What a sentence of the protocol begins with when it is a question; everything else is a plain sentence. */
const mark = /^\s*Question:\s*/

/** True for a sentence with that prefix. */
export function isMarked(sentence: string): boolean {
  return mark.test(sentence)
}

/** A sentence without that prefix, as people read it. */
export function withoutMark(sentence: string): string {
  return sentence.replace(mark, '')
}
