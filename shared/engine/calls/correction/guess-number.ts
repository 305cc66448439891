import { readWrittenNumber } from '../../reading/written-number.ts'

/** Units by dimension; two on one line are not the same number. */
const dimensions = [
  'mm millimeter millimetre|cm centimeter centimetre|m meter metre|km kilometer kilometre|inch inches|ft foot feet|yd yard|mi mile',
  'mg milligram|g gram|kg kilogram kilo|t ton tonne|oz ounce|lb lbs pound',
  'ms millisecond|s sec second|min minute|h hr hour|d day|week wk|month|year yr',
  'ml milliliter millilitre|l liter litre|gal gallon|cup|pint|quart',
  'c celsius centigrade °c|f fahrenheit °f|kelvin',
  'px pixel|pt point|em|rem',
  'byte|kb kilobyte|mb megabyte|gb gigabyte|tb terabyte',
  'cent ¢|usd dollar $ us$|eur euro €|gbp pound sterling £|jpy yen ¥|inr rupee ₹|chf franc',
  'mps m/s|kmh km/h kph|mph',
  'j joule|kj kilojoule|cal calorie|kcal kilocalorie|wh|kwh',
  'pascal|kpa|bar|atm atmosphere|psi',
].map((line) => line.split('|').map((unit) => unit.split(' ')))

const smallNumbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Words after a number that change it: `3 dozen`, `20 percent`. */
const multiplier =
  /^(?:dozens?|scores?|half|quarters?|thirds?|percent|pct|times|hundreds?|thousands?|(?:m|b|tr)illions?|ago)$/
const quantity = /^([#$€£¥₹]?)([-+]?)(\d[\d.,]*)(\s?)([\p{L}°$€£¥₹²³/]{0,24})$/u
const maxLength = 60

/**
 * The number that a text clearly means: `"5 km"`, `"$7"`, `"4,000"`, `"14th"`, `"six"`. `undefined` for ranges,
 * percentages, scales, clock times and units other than the one in the schema's text.
 */
export function guessNumber(text: string, schemaText: string): number | undefined {
  if (text.length > maxLength) return undefined
  const written = text.trim().toLowerCase()
  if (smallNumbers.includes(written)) return smallNumbers.indexOf(written)
  const [, before = '', sign = '', digits = '', blank = '', after = ''] = quantity.exec(written) ?? []
  const size = readWrittenNumber(digits)
  // `4.000` may mean four or four thousand.
  if (size === undefined || (size !== Number(digits) && !Number.isNaN(Number(digits)))) return undefined
  const number = sign === '-' ? -size : size
  if (/^(?:st|nd|rd|th)$/.test(after)) return Number.isInteger(number) ? number : undefined
  const isMeant = (unit: string) => unit === '' || unit === '#' || isPlausible(unit, blank !== '', schemaText)
  return isMeant(before) && isMeant(after) ? number : undefined
}

/** Whether a unit only repeats what the schema means. `5 eggs` is five; `12abc`, `5k` and `5 pm` are something else. */
function isPlausible(unit: string, isApart: boolean, schemaText: string): boolean {
  const words = new Set(schemaText.toLowerCase().match(/[\p{L}°$€£¥₹]+(?:\/[a-z]+)?/gu) ?? [])
  const singular = unit.length > 3 ? unit.replace(/s$/, '') : unit
  const isNamed = (names: readonly string[]) => names.some((name) => words.has(name) || words.has(`${name}s`))
  for (const dimension of dimensions) {
    const own = dimension.find((names) => names.includes(unit) || names.includes(singular))
    // One letter may stand for many things.
    if (own && (isNamed(own) || ((unit.length > 1 || /\W/.test(unit)) && !dimension.some(isNamed))))
      return true
    if (own) return false
  }
  // `am`, `k` and `bn` cannot be counted, `eggs` can.
  return unit.length > 2 && !multiplier.test(unit) && (isApart || isNamed([unit, singular]))
}
