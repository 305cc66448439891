/** The words that a sentence of ours quotes; a sentence that quotes nothing is somebody's own, and returned whole. */
export function wordsGiven(sentence: string): string {
  return /Reason given: "(.*)"/s.exec(sentence)?.[1] ?? sentence
}
