import { type SummaryLength, summaryLengths } from './summary-length.ts'

/** Characters of a page that are read at once. */
export const longestExtract = 60_000
/** A useful sentence is not too short, and not a whole page. */
const sentenceLength = { min: 25, max: 600 }

/**
 * A summary without a model: the sentences of a text with the most keywords, in their order; its first sentences
 * if none has any.
 */
export function extractSummary(text: string, keywords: readonly string[], length: SummaryLength): string {
  const { characters } = summaryLengths[length]
  const words = keywords.map((keyword) => keyword.toLowerCase())
  const sentences = splitSentences(text)
  const ranked = sentences
    .map((sentence, index) => ({ index, hits: countHits(sentence, words) }))
    .sort((a, b) => b.hits - a.hits || a.index - b.index)
  const chosen = new Set<number>()
  let size = 0
  for (const { index } of ranked) {
    const { length: more } = sentences[index] ?? ''
    if (size + more > characters && chosen.size > 0) break
    chosen.add(index)
    size += more + 1
  }
  const summary = sentences.filter((_, index) => chosen.has(index)).join(' ')
  return (summary || text.slice(0, characters)).slice(0, characters + sentenceLength.max).trim()
}

function countHits(sentence: string, words: readonly string[]): number {
  const plain = sentence.toLowerCase()
  return words.filter((word) => plain.includes(word)).length
}

function splitSentences(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)
  return [...segments]
    .map(({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length >= sentenceLength.min && sentence.length <= sentenceLength.max)
}
