/** A sentence that a person or a model is told, as a line of the record. */
export interface Sentence {
  /** Where it was said: `conformance: a tool times out`. */
  from: string
  to: 'people' | 'model'
  language: string
  /** Which member of an answer it was. */
  as: string
  code?: string
  values?: unknown
  sentence: string
}

/** What differs from one recording to the next, and the mark that stands for it. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\bopenai-[0-9a-f]{40}\b/g, '<chat>'],
  [/\b(?:user|sender|ada)-<id>@/g, '<user>@'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b(?:on|since) \d{1,2} \w+ (?:\d{4} )?at \d\d:\d\d(?: UTC)?/g, '<when>'],
  [/\b\d{1,2}\. \p{L}+\.? (?:\d{4})?(?:,| um)? ?\d\d:\d\d/gu, '<when>'],
  [/\b\d{1,2} \p{L}+ (?:\d{4})?(?:,| at) ?\d\d:\d\d/gu, '<when>'],
  [/\b\d{1,2}:\d\d(?::\d\d)?\b/g, '<clock>'],
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, '<host>'],
  [/\b(in|noch|vor) \d+ (s|min|seconds?|Sekunden?|minutes?|Minuten?)\b/g, '$1 <span>'],
  [/(?:< )?\b\d+[.,]\d+ s\b/g, '<span>'],
  [/\b(Asked|Angefragt) (?:just now|gerade eben|\w+ \w+ ago|vor [\w<>]+(?: \w+)?)/g, '$1 <span>'],
  [/\baskb_[\w-]+/g, '<token>'],
  [/<[0-9a-f]{40}@[\w.]+>/g, '<message>'],
]

/** A text as it is in every recording: ids and times are replaced by marks. */
function settle(text: string): string {
  return changing.reduce((settled, [pattern, mark]) => settled.replace(pattern, mark), text)
}

/** The lines of a recording: sorted, each once. */
export function linesOf(sentences: readonly Sentence[]): string[] {
  const lines = sentences.map(({ from, to, language, as, code, values, sentence }) =>
    settle(JSON.stringify({ from, to, language, as, code, values, sentence })),
  )
  return [...new Set(lines)].sort()
}
