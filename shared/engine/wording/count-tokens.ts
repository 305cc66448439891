/** One piece of a text as OpenAI's encodings split it before they merge bytes: a word with the mark before it, digits, marks, spaces. */
const pieces = /[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+/gu

/** Characters per token, by script, measured on texts in these languages; other characters take two or three tokens each. */
const perToken: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Latin}/u, 3.5],
  [/[\p{Script=Cyrillic}\p{Script=Greek}]/u, 3],
  [/[\p{Script=Arabic}\p{Script=Hebrew}]/u, 1.3],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, 0.95],
  [/[\p{Script=Hangul}\p{Script=Devanagari}]/u, 0.85],
]
const others = 0.4

/**
 * Roughly how many tokens a text has for a model (measured with OpenAI's o200k and cl100k), rather a few too many than too
 * few. Not a tokenizer: those weigh megabytes.
 */
export function countTokens(text: string): number {
  let tokens = 0
  for (const piece of text.match(pieces) ?? []) tokens += countPiece(piece)
  return Math.ceil(tokens)
}

function countPiece(piece: string): number {
  if (/^ [A-Z]?[a-z]+$/.test(piece)) return Math.max(1, 1 + (piece.length - 8) / 16)
  const isWord = /^.?[a-z]+$/i.test(piece)
  if (isWord) return Math.max(1, piece.length / (/[A-Z]{2}/.test(piece) ? 3 : 6))
  if (/^[ -~\s]+$/.test(piece)) return Math.ceil(piece.trim().length / 3) || 1
  let tokens = 0
  for (const char of piece.trimStart())
    tokens += 1 / (perToken.find(([script]) => script.test(char))?.[1] ?? others)
  return tokens
}
