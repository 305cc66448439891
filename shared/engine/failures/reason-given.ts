/** Full stops of any script that our own sentence ends with itself. */
const ends = /[.!。！।]+$/

/** Somebody else's words, quoted in a sentence of ours; empty if there are none. */
export function reasonGiven(reason: string): string {
  return reason === '' ? '' : ` Reason given: "${reason.replace(ends, '')}".`
}

/** The words that a sentence of ours quotes; a sentence that quotes nothing is somebody's own, and returned whole. */
export function wordsGiven(sentence: string): string {
  return /Reason given: "(.*)"/s.exec(sentence)?.[1] ?? sentence
}
