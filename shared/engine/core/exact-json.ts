/** A number as JSON writes it (RFC 8259). */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Whether a value of a text may be a number that a double would change: of more than 15 digits, or with a huge exponent. */
const mayLoseDigits = /(?:^|[:,[])[ \t\r\n]*-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/

/** A number that ends where a value of a JSON text may end; a name never does. */
const longNumber = /(?<![\d.eE+-])-?\d[\d.eE+-]*(?=[ \t\r\n]*(?:[,\]}]|$))/g

/**
 * Parses JSON without changing a digit: a number that a double would change becomes the text of its digits, as in proto3's
 * JSON mapping of 64-bit integers (https://protobuf.dev/programming-guides/json/). Throws a SyntaxError like JSON.parse.
 *
 * @example
 * parseExactJson('{"id": 1161380288898609915, "price": 0.1}') // => { id: '1161380288898609915', price: 0.1 }
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteLongNumbers(text))
}

/** The number that a text writes, or the text itself if a double would change its value. */
export function exactNumber(text: string): number | string {
  return keepsDigits(text) ? Number(text) : text
}

/**
 * Whether a number, written as in JSON, has the same decimal value after it was read as a double and written again.
 *
 * @example
 * [keepsDigits('1.50'), keepsDigits('9007199254740993'), keepsDigits('1e400')] // => [true, false, false]
 */
export function keepsDigits(text: string): boolean {
  if (text.length <= 15 && !/[eE]/.test(text)) return true
  if (text.length > mostCharacters || longInteger.test(text)) return false
  const number = Number(text)
  return Number.isFinite(number) && decimalValue(String(number)) === decimalValue(text)
}

/** Whether a text is a number that a double would change. */
export function isLongNumber(text: string): boolean {
  return mayLoseDigits.test(text) && jsonNumber.test(text) && !keepsDigits(text)
}

/** No double is written with so many digits. */
const longInteger = /^-?[1-9]\d{16,}[1-9]$/
/** A double has at most 309 digits before its point; comparing more would take long. */
const mostCharacters = 400

/** Equal for equal decimal values: `1.50` and `15e-1`. */
function decimalValue(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** A JSON text in which each number that a double would change is a text: its digits, or what `write` makes of them. */
export function quoteLongNumbers(text: string, write = (digits: string) => digits): string {
  if (!mayLoseDigits.test(text)) return text
  let result = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at)
    const end = open === -1 ? text.length : open
    if (end - at >= shortestLong) {
      const outside = text.slice(at, end)
      const quoted = quoteNumbers(outside, end === text.length, write)
      if (quoted !== outside) {
        result += text.slice(copied, at) + quoted
        copied = end
      }
    }
    if (open === -1) break
    at = endOfString(text, open)
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** Characters of the shortest number that a double may change: `1e400`. */
const shortestLong = 5

/** `outside` stands between two strings; only at the end of the whole text a number may be the last thing in it. */
function quoteNumbers(outside: string, isLast: boolean, write: (digits: string) => string): string {
  if (!mayLoseDigits.test(outside)) return outside
  return outside.replace(longNumber, (number, offset: number) => {
    const endsText = offset + number.length === outside.trimEnd().length
    const isValue = jsonNumber.test(number) && (isLast || !endsText)
    return isValue && !keepsDigits(number) ? `"${write(number)}"` : number
  })
}

/** Index after the closing quote; the end of the text if there is none. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let before = close
    while (text[before - 1] === '\\') before--
    if ((close - before) % 2 === 0) return close + 1
  }
  return text.length
}
