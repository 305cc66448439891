/** Words behind a number that multiply it, in lower case. */
const multipliers: [factor: number, words: string][] = [
  [
    1e-2,
    'cent cents ct cts centime centimes céntimo céntimos centavo centavos centesimi rappen pence копеек öre øre groszy',
  ],
  [1e2, '百 백'],
  [
    1e3,
    'k tsd tausend thousand mila tys тыс тысяч тысячи 千 천 हज़ार ہزار ألف آلاف هزار bin nghìn ngàn ribu พัน',
  ],
  [1e4, '万 萬 만 หมื่น'],
  [1e5, 'lakh lakhs lac lacs लाख แสน'],
  [
    1e6,
    'm mn mio million millions millionen millón millones milhão milhões milione milioni miljoen miljoner milion ' +
      'miliony milionów млн миллион миллиона миллионов 百万 백만 مليون ملايين میلیون milyon triệu juta ล้าน',
  ],
  [1e7, 'crore crores cr करोड़ 千万 천만'],
  [1e8, '億 亿 억'],
  [
    1e9,
    'bn mrd milliarde milliarden milliard milliards miliardo miliardi miljard miljarder млрд میلیارد milyar tỷ',
  ],
]
export const smallestFactor = 1e-2

/** They multiply too, but by what depends on the language: a number before them cannot be read. */
const ambiguous = 'mil mille billion billions billionen billón billones trillion b t'

const factors = new Map<string, number>(
  multipliers.flatMap(([factor, words]) =>
    words.split(' ').map((word) => [word.normalize('NFKC'), factor] as const),
  ),
)
for (const word of ambiguous.split(' ')) factors.set(word, Number.NaN)

/** Longest first, so that 百万 is not read as 百. */
const unspacedFactors = [...factors.keys()]
  .filter((word) => /^\p{Lo}+$/u.test(word) && word.length <= 2)
  .sort((a, b) => b.length - a.length)

/**
 * The factor that the text right behind a number multiplies it by: 1 without one, NaN where it cannot be told or
 * the number goes on (3万5000).
 */
export function factorOf(after: string): number {
  const word = /^[ \u00a0\u202f]?([\p{L}\p{M}]+)/u.exec(after)
  if (!word) return 1
  const name = word[1]?.toLowerCase() ?? ''
  const unspaced = unspacedFactors.find((one) => name.startsWith(one))
  const factor = factors.get(name) ?? (unspaced === undefined ? 1 : (factors.get(unspaced) ?? 1))
  return factor !== 1 && /^[ \u00a0\u202f]?\d/.test(after.slice(word[0].length)) ? Number.NaN : factor
}

/** True for the words before a number that it is only the rest of: `1 lakh 50`, `3万5000`. */
export function endsInFactor(before: string): boolean {
  const word = /\d[ \u00a0\u202f]?(\p{L}+)[ \u00a0\u202f]?$/u.exec(before)?.[1]
  return word !== undefined && factors.has(word.toLowerCase())
}

const informal =
  'rs r kr kč zł ft lei leu tl din fr sfr euro euros eurot dollar dollars buck bucks pound pounds ' +
  'rub руб р грн ден лв kn ks rp rm nt hk us won yen yuan rmb dh dhs đ btc eth usdc usdt eurc'
let currencies: Set<string> | undefined

/** True for a currency as people write it beside a number: `EUR`, `kr`, `zł`. */
export function isCurrency(word: string): boolean {
  currencies ??= new Set([
    ...Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
    ...informal.split(' '),
  ])
  return currencies.has(word.toLowerCase())
}
