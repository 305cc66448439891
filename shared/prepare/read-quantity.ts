/** The English numbers from zero to nineteen. */
export const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const scales: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 }

/** Units by what they measure; two of one line are not the same number. */
const dimensions = [
  'mm millimeter millimetre|cm centimeter centimetre|m meter metre|km kilometer kilometre|in inch inches|ft foot feet|yd yard|mi mile',
  'mg milligram|g gram|kg kilogram kilo|t ton tonne|oz ounce|lb lbs pound',
  'ms millisecond|s sec second|min minute|h hr hour|d day|week wk|month|year yr',
  'ml milliliter millilitre|l liter litre|gal gallon|cup|pint|quart',
  'c celsius centigrade °c|f fahrenheit °f|k kelvin',
  'b byte|kb kilobyte|mb megabyte|gb gigabyte|tb terabyte',
  'usd dollar dollars $ us$|eur euro euros €|gbp pound pounds sterling £|jpy yen ¥|inr rupee rupees ₹|chf franc|cad|aud|cny yuan',
  'mps m/s|kmh km/h kph|mph',
  'j joule|kj kilojoule|cal calorie|kcal kilocalorie|wh|kwh',
  'pa pascal|kpa|bar|atm atmosphere|psi',
].map((line) => line.split('|').map((unit) => unit.split(' ')))

const quantity =
  /^(?:(?<before>[$€£¥₹]|(?:usd|eur|gbp|us\$)\s))?\s*(?<sign>[-+])?(?<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)\s*(?<after>[\p{L}°$€£¥₹][\p{L}°²³/^ .-]{0,24})?$/iu

/**
 * The number that a text surely means: `"5 km"`, `"$7"`, `"4,000"`, `"six"`, `"3 million"`, `"14th"`. `undefined` for
 * ranges, percentages, approximations, clock times and a unit that is not the one the schema's text names.
 */
export function readQuantity(text: string, schemaText: string): number | undefined {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '' || trimmed.length > 60) return undefined
  const word = readNumberWords(trimmed)
  if (word !== undefined) return word
  const groups = quantity.exec(trimmed)?.groups
  if (!groups) return undefined
  const number = Number(`${groups.sign ?? ''}${groups.number?.replaceAll(',', '')}`)
  if (!Number.isFinite(number)) return undefined
  const unit = groups.after?.trim().replace(/\.$/, '')
  if (unit === undefined)
    return groups.before && contradicts(groups.before.trim(), schemaText) ? undefined : number
  if (/^(?:st|nd|rd|th)$/.test(unit)) return Number.isInteger(number) ? number : undefined
  const scale = scales[unit]
  if (scale !== undefined) return number * scale
  // "5 pm" is a clock time; k, m, bn and e may count thousands or be units.
  if (/^(?:am|pm|a\.m|p\.m|k|m|bn|b|mn|e|x|to|or|and|percent|per cent)\b/.test(unit))
    return unit === 'm' && !contradicts(unit, schemaText) && /\bmet(?:er|re)s?\b/i.test(schemaText)
      ? number
      : undefined
  return contradicts(unit, schemaText) ? undefined : number
}

/** True when the schema speaks of another unit of the same kind. */
function contradicts(unit: string, schemaText: string): boolean {
  const words = new Set(schemaText.toLowerCase().match(/[\p{L}°$€£¥₹]+(?:\/[a-z]+)?/gu) ?? [])
  const singular = unit.length > 3 ? unit.replace(/s$/, '') : unit
  for (const dimension of dimensions) {
    const own = dimension.findIndex((names) => names.includes(unit) || names.includes(singular))
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

/** `six`, `twenty-five`, `two hundred and ten`, `a dozen`, `third`. */
function readNumberWords(text: string): number | undefined {
  const words = text.replace(/-/g, ' ').split(/\s+/)
  if (words.length > 8) return undefined
  if (words.length === 1 && ordinals.indexOf(text) > 0) return ordinals.indexOf(text)
  if (text === 'a dozen' || text === 'dozen') return 12
  let total = 0
  let current: number | undefined
  for (const word of words) {
    const one = ones.indexOf(word)
    const ten = tens.indexOf(word)
    if (word === 'and' && current !== undefined) continue
    if ((word === 'a' || word === 'an') && current === undefined) current = 1
    else if (one >= 0) current = (current ?? 0) + one
    else if (ten >= 0) current = (current ?? 0) + (ten + 2) * 10
    else if (word === 'hundred') current = (current ?? 1) * 100
    else if (scales[word] !== undefined) {
      total += (current ?? 1) * scales[word]
      current = 0
    } else return undefined
  }
  return current === undefined || text === 'a' || text === 'an' ? undefined : total + current
}
