import { digitsInARow, withPlainDigits } from './digits.ts'
import { characterAt, characterBefore, continuesWord } from './text-boundary.ts'

/** ITU-T E.164 country codes, by length; the rest of a number is its national part. */
const countryCodes = new Set(
  (
    '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 ' +
    '90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 ' +
    '238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 ' +
    '267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376 377 378 380 ' +
    '381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 ' +
    '598 599 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 850 852 853 855 856 ' +
    '870 880 886 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 992 993 994 995 996 998'
  ).split(' '),
)
/** The trunk prefix of numbers inside a country, if it is not 0. */
const trunkPrefixes = new Map([
  ['7', '8'],
  ['36', '06'],
  ['375', '80'],
])
/** Countries whose numbers keep their leading 0 after the country code. */
const keepsZero = new Set(['39', '225', '229', '241', '242', '378'])

/** The international call prefix, if it is not 00: North America, Australia, Japan, Russia. */
const exitCodes = ['011', '0011', '010', '810']

interface PhoneNumber {
  digits: string
  international: boolean
}

/** A written number as digits; undefined if it has fewer than 5 or more than 15 (E.164). */
export function readPhoneNumber(written: string): PhoneNumber | undefined {
  if (written.length > 80) return undefined
  const plain = withPlainDigits(written.trim()).replace(/^(?:tel:|whatsapp:)/i, '')
  const international = /^\(?(?:\+|00)/.test(plain)
  const digits = plain
    .replace(/^(\(?\+|00)/, '')
    .replace(/\(0\)/, international ? '' : '0')
    .replace(/[\s()./\u2010-\u2015\u2212-]/g, '')
  return /^\d{5,15}$/.test(digits) ? { digits, international } : undefined
}

/** The same number: digit for digit, or one of them in its national form if the rest agrees. */
function isSamePhoneNumber(a: PhoneNumber, b: PhoneNumber): boolean {
  if (a.international === b.international) return a.digits === b.digits
  const [full, national] = a.international ? [a.digits, b.digits] : [b.digits, a.digits]
  if (full === national || exitCodes.some((exit) => national === exit + full)) return true
  const code = [1, 2, 3].map((length) => full.slice(0, length)).find((start) => countryCodes.has(start))
  if (code === undefined) return false
  const subscriber = full.slice(code.length)
  const trunk = keepsZero.has(code) ? '' : (trunkPrefixes.get(code) ?? '0')
  return subscriber.length >= 6 && (national === subscriber || national === trunk + subscriber)
}

const between = '[ \\t\\u00a0()./\\u2010-\\u2015\\u2212-]'
const written = new RegExp(`(?:\\+|\\(\\+?)?\\d(?:${between}{0,4}\\d)*`, 'g')

/** Whether a text contains this phone number, whole. */
export function namesPhoneNumber(number: PhoneNumber): (text: string) => boolean {
  const firstLook = new RegExp(digitsInARow(number.digits.slice(-6), `${between}{0,4}`))
  return (text) => {
    if (!firstLook.test(text)) return false
    const plain = withPlainDigits(text)
    for (const { 0: match, index } of plain.matchAll(written)) {
      let start = index + listMarker(plain, index, match)
      for (const one of separated(plain.slice(start, index + match.length))) {
        const end = start + one.length
        const other = readPhoneNumber(one)
        if (other && isSamePhoneNumber(number, other) && isWhole(plain, start, end)) return true
        start = end + betweenNumbers
      }
    }
    return false
  }
}

/** The characters of ` / ` or ` - `. */
const betweenNumbers = 3

/** `0170 1234567 / 0171 7654321` is two numbers, `030 / 1234567` is one: each has at least 7 digits. */
function separated(run: string): string[] {
  const parts = run.split(/ [/\u2013-] /)
  return parts.every((part) => part.replace(/\D/g, '').length >= 7) ? parts : [run]
}

/** The length of a `1. ` at the start of a line, which is not part of the number after it. */
function listMarker(text: string, index: number, match: string): number {
  const isLineStart = index === 0 || text.charAt(index - 1) === '\n'
  return isLineStart ? (/^\d{1,2}[.)] +(?=\S)/.exec(match)?.[0].length ?? 0) : 0
}

function isWhole(text: string, start: number, end: number): boolean {
  const before = characterBefore(text, start)
  const after = characterAt(text, end)
  if (before === '@' || before === '+' || continuesWord(before, '0')) return false
  return after !== '@' && !continuesWord(after, '0') && !/^[,.]\d/.test(text.slice(end, end + 2))
}
