/** The English numbers from zero to nineteen. */
export const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const scales = new Map(
  Object.entries({
    hundred: 100,
    thousand: 1e3,
    million: 1e6,
    billion: 1e9,
    trillion: 1e12,
  }),
)

/** Units by what they measure; two of one line are not the same number. */
const dimensions = [
  'mm millimeter millimetre|cm centimeter centimetre|m meter metre|km kilometer kilometre|in inch inches|ft foot feet|yd yard|mi mile',
  'mg milligram|g gram|kg kilogram kilo|t ton tonne|oz ounce|lb lbs pound',
  'ms millisecond|s sec second|min minute|h hr hour|d day|week wk|month|year yr',
  'ml milliliter millilitre|l liter litre|gal gallon|cup|pint|quart',
  'c celsius centigrade °c|f fahrenheit °f|k kelvin',
  'px pixel|pt point|em|rem',
  'b byte|kb kilobyte|mb megabyte|gb gigabyte|tb terabyte',
  'cent cents ¢|usd dollar dollars $ us$|eur euro euros €|gbp pound pounds sterling £|jpy yen ¥|inr rupee rupees ₹|chf franc|cad|aud|cny yuan',
  'mps m/s|kmh km/h kph|mph',
  'j joule|kj kilojoule|cal calorie|kcal kilocalorie|wh|kwh',
  'pa pascal|kpa|bar|atm atmosphere|psi',
].map((line) => line.split('|').map((unit) => unit.split(' ')))

const quantity =
  /^(?:(?<before>[#$€£¥₹]|(?:usd|eur|gbp|us\$)\s))?\s*(?<sign>[-+])?(?<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:_\d{3})+|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)(?<blank>\s*)(?<after>[\p{L}°$€£¥₹][\p{L}°²³/^ .-]{0,24})?$/iu

/** Words after a number that make it another one: `3 dozen`, `5 days ago`, `5 degrees below zero`, `4 out of 5`. */
const notOnlyUnits = new Set(
  'ago from before after later below under above over less more fewer plus minus bc bce max maximum minimum most least or to and of out dozen score half quarter third percent pct percentage times'.split(
    ' ',
  ),
)

/**
 * The number that a text surely means: `"5 km"`, `"$7"`, `"#7"`, `"4,000"`, `"six"`, `"3 million"`, `"14th"`. `undefined` for
 * ranges, percentages, approximations, clock times and a unit that is not the one the schema's text names.
 */
export function readQuantity(text: string, schemaText: string): number | undefined {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '' || trimmed.length > 60) return undefined
  const word = readNumberWords(trimmed)
  if (word !== undefined) return word
  const groups = quantity.exec(trimmed)?.groups
  if (!groups) return undefined
  const number = Number(`${groups.sign ?? ''}${groups.number?.replace(/[,_]/g, '')}`)
  if (!Number.isFinite(number)) return undefined
  const unit = groups.after?.trim().replace(/\.$/, '')
  if (unit === undefined)
    return groups.before && contradicts(groups.before.trim(), schemaText) ? undefined : number
  if (/^(?:st|nd|rd|th)$/.test(unit)) return Number.isInteger(number) ? number : undefined
  const scale = scales.get(unit)
  if (scale !== undefined) return number * scale
  if (unit.split(' ').some((word) => notOnlyUnits.has(word))) return undefined
  // "5 pm" is a clock time; k, m, bn and e may count thousands or be units.
  if (/^(?:am|pm|a\.m|p\.m|k|m|bn|b|mn|e|x|to|or|and|percent|per cent)\b/.test(unit))
    return unit === 'm' && !contradicts(unit, schemaText) && /\bmet(?:er|re)s?\b/i.test(schemaText)
      ? number
      : undefined
  // `12abc` and `12 Elm Street` are no quantities, `5km` and `12 eggs` are.
  const words = unit.split(' ')
  const known = words.some((word) => dimensions.some((dimension) => unitIn(dimension, word) >= 0))
  if (!known && (groups.blank === '' || words.length > 1)) return undefined
  return contradicts(unit, schemaText) ? undefined : number
}

/** Which unit of a dimension a text names, in the singular or plural; -1 for none. */
function unitIn(dimension: readonly string[][], unit: string): number {
  const singular = unit.length > 3 ? unit.replace(/s$/, '') : unit
  return dimension.findIndex((names) => names.includes(unit) || names.includes(singular))
}

/** True when the schema speaks of another unit of the same kind. */
function contradicts(unit: string, schemaText: string): boolean {
  const words = new Set(schemaText.toLowerCase().match(/[\p{L}°$€£¥₹]+(?:\/[a-z]+)?/gu) ?? [])
  for (const dimension of dimensions) {
    const own = unitIn(dimension, unit)
    if (own < 0) continue
    const named = dimension.findIndex((names) =>
      names.some((name) =>
        name.length > 2 || /[°$€£¥₹/]/.test(name) ? words.has(name) || words.has(`${name}s`) : false,
      ),
    )
    if (named >= 0 && named !== own) return true
  }
  return false
}

/** `six`, `twenty-five`, `two hundred and ten`, `a dozen`, `third`; `one two` and `twenty twenty-four` are no number. */
function readNumberWords(text: string): number | undefined {
  const words = text.replace(/-/g, ' ').split(/\s+/)
  if (words.length > 8) return undefined
  if (words.length === 1 && ordinals.indexOf(text) > 0) return ordinals.indexOf(text)
  if (text === 'a dozen' || text === 'dozen') return 12
  let total = 0
  let lastScale = Number.POSITIVE_INFINITY
  let group = 0
  // What may follow in a group: anything, one digit after `twenty`, or only `hundred` and what is above.
  let open: 'any' | 'digit' | 'none' = 'any'
  for (const [index, word] of words.entries()) {
    const one =
      word === 'a' || word === 'an' ? (index === 0 && words.length > 1 ? 1 : -1) : ones.indexOf(word)
    const ten = tens.indexOf(word)
    if (word === 'and' && index > 0 && index < words.length - 1) continue
    if (one >= 0 && (open === 'any' || (open === 'digit' && one > 0 && one < 10))) {
      group += one
      open = 'none'
    } else if (ten >= 0 && open === 'any') {
      group += (ten + 2) * 10
      open = 'digit'
    } else if (word === 'hundred' && open !== 'any' && group > 0 && group < 100) {
      group *= 100
      open = 'any'
    } else if ((scales.get(word) ?? lastScale) < lastScale && group > 0) {
      lastScale = scales.get(word) ?? 1
      total += group * lastScale
      group = 0
      open = 'any'
    } else return undefined
  }
  return total + group
}
