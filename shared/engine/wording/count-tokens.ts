/**
 * Tokens per character of scripts that tokenizers know less well, by the first character of each range of Unicode,
 * measured on the Universal Declaration of Human Rights: what the less frugal ones of o200k, cl100k, Llama 3, Qwen 3,
 * Gemma 3 and DeepSeek V3 take, without the extremes. Of a pair of surrogates each half counts.
 */
const scripts: readonly (readonly [first: number, perCharacter: number])[] = [
  [0x0250, 1], // phonetic, combining
  [0x0370, 0.8], // Greek
  [0x0400, 0.46], // Cyrillic
  [0x0530, 1.3], // Armenian
  [0x0590, 1], // Hebrew
  [0x0600, 0.8], // Arabic
  [0x0700, 1.3],
  [0x0900, 1.1], // Devanagari
  [0x0980, 1.5], // other scripts of India
  [0x0e00, 0.9], // Thai
  [0x0e80, 1.8], // Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer, Mongolian
  [0x1e00, 0.9], // more Latin
  [0x1f00, 0.9], // more Greek
  [0x2000, 0.9], // marks
  [0x2190, 1.5], // arrows, symbols
  [0x3000, 1.1], // Japanese, Chinese
  [0xac00, 1.2], // Korean
  [0xd800, 1.45], // pairs of surrogates
  [0xe000, 1.5],
  [0xff00, 1.1], // wide forms
]

/**
 * Roughly how many tokens a text has for a model, rather a few too many than too few: measured with o200k, cl100k, Llama 3,
 * Qwen 3, Gemma 3 and DeepSeek V3. Not a tokenizer: those weigh megabytes, and each model has its own. It goes by what they
 * have in common: a token is a word with the space before it, up to three digits, a few marks; a word of a language other
 * than English is several.
 *
 * @example
 * countTokens('Please send the report to Ada.') // => 7
 */
export function countTokens(text: string): number {
  const words = new Words(text)
  let tokens = 0
  let index = 0
  while (index < text.length) {
    const start = index
    const code = text.charCodeAt(index)
    if (isLatin(code)) index = words.take(index)
    else if (code >= 192) {
      tokens += perCharacter(code)
      index++
    } else {
      const kind = isDigit(code) ? isDigit : code === 32 ? isSpace : code < 32 ? isControl : isMark
      do index++
      while (kind(text.charCodeAt(index)))
      const length = index - start
      if (kind === isDigit) tokens += Math.max(1, length * 0.5)
      // A single space, and often a single mark, belongs to the word behind it.
      else if (kind === isMark)
        tokens += length === 1 && isLatin(text.charCodeAt(index)) ? 0.5 : 0.88 + 0.12 * length
      else if (kind === isControl || length > 1) tokens += 1
    }
  }
  return Math.round(tokens + words.count())
}

/** Letters for which one language is assumed. */
const blockLetters = 3_000
/** So much of the letters of English, or of code, is `th`; of other languages next to nothing is. */
const thOfEnglish = 0.009
/** As many `th` are assumed beforehand: without any, a short text may still be English. */
const assumed = 2

/** The words of a text in Latin letters. */
class Words {
  private readonly text: string
  private tokens = 0
  /** Tokens of the words of this block if it is English, and if it is not. */
  private english = 0
  private other = 0
  private letters = 0
  private ths = 0

  constructor(text: string) {
    this.text = text
  }

  /** Takes the word that begins at an index; returns where it ends. */
  take(start: number): number {
    let [parts, accents, capitals, before, index] = [1, 0, 0, 0, start]
    for (let code = this.text.charCodeAt(index); isLatin(code); code = this.text.charCodeAt(++index)) {
      if (code > 127) accents++
      if (code < 97) capitals++
      if (code < 97 && before >= 97) parts++
      // Either case.
      if ((code | 32) === 104 && (before | 32) === 116) this.ths++
      before = code
    }
    const length = index - start
    this.letters += length
    // Letters of both cases by chance, as in base64.
    if (parts > 1 && length < 3 * parts) this.tokens += 0.95 * length
    else {
      const part = length / parts
      const shouted = capitals > 1 && capitals === length ? 0.34 * Math.max(0, length - 4) : 0
      this.english += parts * (1 + 0.07 * Math.max(0, part - 7)) + shouted + 0.5 * accents
      this.other += parts * (1 + 0.3 * Math.max(0, part - 3)) + 0.6 * accents
    }
    if (this.letters >= blockLetters) this.endBlock()
    return index
  }

  count(): number {
    this.endBlock()
    return this.tokens
  }

  private endBlock(): void {
    const share = Math.min(1, (this.ths + assumed) / (this.letters * thOfEnglish + assumed))
    this.tokens += share * this.english + (1 - share) * this.other
    this.english = this.other = this.letters = this.ths = 0
  }
}

function isLatin(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code < 0x250 && code !== 0xd7 && code !== 0xf7)
  )
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isSpace(code: number): boolean {
  return code === 32
}

/** Line breaks and tabs. */
function isControl(code: number): boolean {
  return code < 32
}

/** Of ASCII and Latin-1: neither letter nor digit nor space. */
function isMark(code: number): boolean {
  return code > 32 && code < 192 && !isLatin(code) && !isDigit(code)
}

function perCharacter(code: number): number {
  let found = 1
  for (const [first, tokens] of scripts) {
    if (first > code) break
    found = tokens
  }
  return found
}
