/** The length of a summary: characters of extracted sentences, words to ask a model for, tokens it may write. */
export const summaryLengths = {
  short: { characters: 400, words: 60, tokens: 500 },
  medium: { characters: 1_000, words: 150, tokens: 900 },
  long: { characters: 2_500, words: 400, tokens: 1_800 },
} as const

export type SummaryLength = keyof typeof summaryLengths
