/** The prefix of questions in the protocol; any other sentence is a plain one. */
const mark = /^\s*Question:\s*/

/** True for a sentence with that prefix. */
export function isMarked(sentence: string): boolean {
  return mark.test(sentence)
}

/** A sentence without that prefix, as people read it. */
export function withoutMark(sentence: string): string {
  return sentence.replace(mark, '')
}
