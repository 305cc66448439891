import { countTokens } from './count-tokens.ts'

/** A clipped text that is shorter says nothing. */
const leastClipped = 12
/** No budget holds more characters than this. */
const mostClipped = 4000

/** How many tokens a text may still cost; its parts are taken in order of importance. */
export class TokenBudget {
  #left: number

  constructor(tokens: number) {
    this.#left = tokens
  }

  fits(text: string): boolean {
    return countTokens(text) <= this.#left
  }

  /** Takes a text, whatever it costs. */
  take(text: string): string {
    this.#left -= countTokens(text)
    return text
  }

  /** Takes a text, or as many of its words as fit; nothing if that is next to nothing. */
  takeClipped(text: string): string {
    if (this.fits(text)) return this.take(text)
    let [fitting, tooLong] = [0, Math.min(text.length, mostClipped)]
    while (tooLong - fitting > 1) {
      const middle = Math.floor((fitting + tooLong) / 2)
      if (this.fits(`${text.slice(0, middle)} …`)) fitting = middle
      else tooLong = middle
    }
    const cut = text.slice(0, fitting).replace(/[\ud800-\udbff]$/, '')
    const space = cut.lastIndexOf(' ')
    // A word that is most of the text is cut: a sentence of a script without spaces, or an address.
    const words = (space < cut.length / 2 ? cut : cut.slice(0, space)).replace(/[\s,;:("'<]+$/, '')
    return words.length < leastClipped ? '' : this.take(`${words} …`)
  }

  /** Replaces what was taken with the first wording that fits. */
  exchange(taken: string, wordings: readonly string[]): string {
    this.#left += countTokens(taken)
    return this.take(wordings.find((wording) => this.fits(wording)) ?? taken)
  }

  /** Takes the parts that fit, in order; `more` replaces those that do not. Empty if not even the first fits. */
  takeList(parts: readonly string[], separator: string, more: (count: number) => string): string {
    let text = ''
    for (const [index, part] of parts.entries()) {
      const after = parts.length - index - 1
      const next = `${index === 0 ? '' : separator}${part}`
      if (!this.fits(next + (after > 0 ? more(after) : ''))) {
        return index === 0 ? '' : text + this.take(more(after + 1))
      }
      text += this.take(next)
    }
    return text
  }
}
