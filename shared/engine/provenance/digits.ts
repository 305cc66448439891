/** The zeros of the scripts in which people write numbers; the other nine digits follow in Unicode. */
const zeros = '٠۰०০੦૦୦௦౦೦൦๐໐၀០'
/** For each digit, itself and its equivalents in the other scripts. */
const alike = Array.from({ length: 10 }, (_, digit) =>
  [String(digit), ...[...zeros].map((zero) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit))].join(
    '',
  ),
)
const plainDigits = new Map(
  alike.flatMap((row, digit) => [...row].map((one) => [one, String(digit)] as const)),
)
const otherDigit = /[^\P{Nd}0-9]/gu
const directionMark = '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'
const directionMarks = new RegExp(directionMark, 'g')

const otherScript = /[^\0-\u05ff]/

/** A text with ASCII digits and separators, for comparing numbers: Arabic `١٬٥٠٠٫٥` is `1,500.5`. */
export function withPlainDigits(text: string): string {
  if (!otherScript.test(text)) return text
  return text
    .replace(otherDigit, (digit) => plainDigits.get(digit) ?? digit)
    .replaceAll('\u066c', ',')
    .replaceAll('\u066b', '.')
    .replace(directionMarks, '')
}

/** A regex source for consecutive digits (and letters), digits in any script, with a separator between them. */
export function digitsInARow(digits: string, separator: string): string {
  const between = `${directionMark}{0,3}${separator}${directionMark}{0,3}`
  return [...digits].map((digit) => (/\d/.test(digit) ? `[${alike[Number(digit)]}]` : digit)).join(between)
}
