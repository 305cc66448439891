import { continuesWord } from './text-boundary.ts'

/** Words for small change after a number, and for a hundred or in slang, which the platform does not know. */
const smallChange =
  'cent cents ct cts centime centimes céntimo céntimos centavo centavos centesimi rappen pence копеек öre øre groszy'
const unwritten =
  'hundred hundert honderd hundra hundre hundrede hunderttausend honderdduizend hundratusen hundretusen 百 백 ร้อย grand т'

const changeWords = new Set(smallChange.split(' '))
let magnitudeWords: Set<string> | undefined

/** The words with which the platform writes round numbers, in each language that it knows. */
function readMagnitudes(): Set<string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const tags = letters.flatMap((first) => letters.map((second) => first + second))
  const words = new Set(unwritten.split(' '))
  for (const locale of Intl.NumberFormat.supportedLocalesOf([...tags, 'en-IN']))
    for (const compactDisplay of ['long', 'short'] as const) {
      const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay })
      for (let round = 1000; round < 1e13; round *= 10)
        // Each gives another form of the word, as in Slavic languages.
        for (const count of [1, 2, 5]) {
          const written = format.formatToParts(count * round).find(({ type }) => type === 'compact')?.value
          const word = written
            ?.normalize('NFKC')
            .match(/[\p{L}\p{M}]+/gu)
            ?.at(-1)
          if (word !== undefined) words.add(word.toLowerCase())
        }
    }
  return words
}

/** True for `thousand`, `lakh`, `mio`, `tusen`; a single Latin letter is more likely a word: `50 a Marco`. */
function isMagnitude(word: string): boolean {
  // Created on demand: it takes 0.1 s.
  magnitudeWords ??= readMagnitudes()
  return magnitudeWords.has(word) && !/^[a-z]$/.test(word)
}

/**
 * Whether the word directly after a number changes it: 10 in `10 tusen kroner` is not an amount, nor is 3 in
 * `3 million`, 12 in `12€m` or, if the amount is not in cents, 99 in `99 cents`.
 */
export function startsWithMagnitude(after: string, minorUnits: boolean): boolean {
  const [, space = '', letters = ''] = /^([ \u00a0\u202f]?(?:\p{Sc}|de )?)([\p{L}\p{M}]+)/u.exec(after) ?? []
  const word = letters.toLowerCase()
  if (word === '' || isCurrency(word)) return false
  if (changeWords.has(word)) return !minorUnits
  // `12 kEUR`, `5 TEUR`
  if (/^[ktm][A-Z]{3}$/i.test(letters) && isCurrency(letters.slice(1))) return true
  if (/\p{Sc}$/u.test(space) && /^[km]$/.test(word)) return true
  // Scripts without spaces continue after it.
  const longest = continuesWord(word.charAt(0), '0') ? 0 : 5
  return (
    isMagnitude(word) || Array.from({ length: longest }, (_, end) => word.slice(0, end + 1)).some(isMagnitude)
  )
}

/** Whether a number is just the rest of another one: `1 lakh 50`, `3万5000`. */
export function endsInMagnitude(before: string): boolean {
  const word = /\d[ \u00a0\u202f]?(\p{L}+)[ \u00a0\u202f]?$/u.exec(before)?.[1]?.toLowerCase()
  return word !== undefined && !isCurrency(word) && isMagnitude(word)
}

const informal = new Set(
  (
    'rs r kr kč zł ft lei leu tl din fr sfr euro euros eurot dollar dollars buck bucks pound pounds ' +
    'rub руб р грн ден лв kn ks rp rm nt hk us won yen yuan rmb dh dhs đ btc eth usdc usdt eurc'
  ).split(' '),
)

/** True for a currency as people write it next to a number: `EUR`, `kr`, `zł`. */
export function isCurrency(word: string): boolean {
  if (informal.has(word.toLowerCase())) return true
  return /^[A-Za-z]{3}$/.test(word) && Intl.supportedValuesOf('currency').includes(word.toUpperCase())
}
