/** The zeros of the scripts people write numbers in; the nine other digits of each follow it in Unicode. */
const zeros = [...'٠۰०০੦૦୦௦౦೦൦๐໐၀០'].map((zero) => zero.codePointAt(0) ?? 0)
const otherDigit = /[^\P{Nd}0-9]/gu
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text with ASCII digits and separators, for comparing numbers: Arabic `١٬٥٠٠٫٥` is `1,500.5`. */
export function withPlainDigits(text: string): string {
  return text
    .replace(otherDigit, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = zeros.find((start) => code >= start && code < start + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replaceAll('\u066c', ',')
    .replaceAll('\u066b', '.')
    .replace(directionMarks, '')
}

/** A cheap first look: a text without these digits in a row, separators aside, cannot hold the number. */
export function digitsInARow(digits: string, separator: string): RegExp {
  return new RegExp([...digits].join(separator))
}
