import { continuesWord } from './text-boundary.ts'

/** Words behind a number that multiply it, in lower case, in the languages that are written most (from CLDR). */
const multipliers: [factor: number, words: string][] = [
  [
    1e-2,
    'cent cents ct cts centime centimes céntimo céntimos centavo centavos centesimi rappen pence копеек öre øre groszy',
  ],
  [1e2, 'hundred hundert honderd hundra hundre hundrede 百 백 ร้อย'],
  [
    1e3,
    'k grand thousand tausend tsd mila duizend tysiąc tysiące tysięcy tys tusen tusind tuhat tuhatta tisíc tisíce tis ' +
      'ezer mie mii tisuća tisuće хил хиляди χιλ χιλιάδα χιλιάδες bin тыс тысяча тысячи тысяч тис тисяча тисячі тисяч ' +
      'ngàn nghìn ribu rb elfu हज़ार হাজার ألف آلاف هزار אלף พัน miler milers хиљада хиљаде tisoč tūkstantis ' +
      'tūkstančiai tūkstančių tūkstotis tūkstoši हजार હજાર ஆயிரம் వేయి వేలు ਹਜ਼ਾਰ ہزار мың 千 천 พัน',
  ],
  [1e4, '万 萬 만 หมื่น'],
  [1e5, 'lakh lakhs lac lacs hunderttausend honderdduizend hundratusen hundretusen लाख লাখ แสน લાખ ਲੱਖ لاکھ'],
  [
    1e6,
    'm mn mio mln mill млн million millionen millions millón millones milione milioni milhão milhões miljoen milion ' +
      'miliony milionów miljon miljoner millioner miljoona miljoonaa milionů milión milióny miliónov millió milioane ' +
      'milijun milijuna милион милиона εκατομμύριο εκατομμύρια milyon миллион миллиона миллионов мільйон мільйони ' +
      'мільйонів triệu juta jt مليون ملايين میلیون מיליון ล้าน milió milions millóns milijon milijona milijonov ' +
      'milijonas milijonai milijonų miljons miljoni miljonit மில்லியன் మిలియన్ మిలియన్లు',
  ],
  [1e7, 'crore crores cr करोड़ কোটি कोटी કરોડ ਕਰੋੜ کروڑ'],
  [1e8, '億 亿 억'],
  [
    1e9,
    'bn mrd mld mia млрд milliarde milliarden milliard milliards miliardo miliardi bilhão bilhões miljard miliard ' +
      'miliardy miliardów miljarder milliarder miljardi miljardia miliarda miliárd milliárd miliarde milijarda ' +
      'milijarde milijardi милиард милиарда δισεκατομμύριο δισεκατομμύρια milyar миллиард миллиарда миллиардов ' +
      'мільярд мільярди мільярдів tỷ miliar अरब مليار میلیارد מיליארד милијарда милијарде милијарди milijard ' +
      'milijardas milijardai miljards miljardit अब्ज અબજ பில்லியன் బిలియన్ బిలియన్లు ਅਰਬ ارب',
  ],
]
export const smallestFactor = 1e-2

/** They multiply too, but by what depends on the language: a number before them cannot be read. */
const ambiguous =
  'mil mille billion billions billionen billón billones bilion trillion trillions trilhão trilhões biljoen trilyon b t mi bi т тр tr'

const factors = new Map<string, number>(
  multipliers.flatMap(([factor, words]) =>
    words.split(' ').map((word) => [word.normalize('NFKC'), factor] as const),
  ),
)
for (const word of ambiguous.split(' ')) factors.set(word, Number.NaN)

/** Of the scripts without spaces: they may stand anywhere in a run of letters. */
const unspacedFactors = [...factors.keys()].filter((word) => !continuesWord(word.charAt(0), '0'))

/**
 * The factor that the words right behind a number multiply it by (`thousand million`, `€m`, 百万): 1 without one, NaN where
 * it cannot be told or the number goes on (3万5000).
 */
export function readFactor(after: string): number {
  const [read = '', letters = ''] = /^[ \u00a0\u202f]?(?:\p{Sc}|de )?([\p{L}\p{M}]+)/u.exec(after) ?? []
  const word = unspacedFactors.find((one) => letters.startsWith(one)) ?? letters
  const factor = readFactorWord(word)
  if (factor === 1) return 1
  const rest = after.slice(read.length - letters.length + word.length)
  return /^[ \u00a0\u202f]?\d/.test(rest) ? Number.NaN : factor * readFactor(rest)
}

function readFactorWord(word: string): number {
  const name = word.toLowerCase()
  const known = factors.get(name)
  if (known !== undefined) return known
  if (isCurrency(name)) return 1
  // `12 kEUR`, `5 TEUR`
  const [, sign = ''] = /^([ktm])[A-Z]{3}$/i.exec(word) ?? []
  if (sign !== '' && isCurrency(word.slice(1))) return readFactorWord(sign)
  return 1
}

/** True for the words before a number that it is only the rest of: `1 lakh 50`, `3万5000`. */
export function endsInFactor(before: string): boolean {
  const word = /\d[ \u00a0\u202f]?(\p{L}+)[ \u00a0\u202f]?$/u.exec(before)?.[1]
  return word !== undefined && factors.has(word.toLowerCase())
}

const informal = new Set(
  (
    'rs r kr kč zł ft lei leu tl din fr sfr euro euros eurot dollar dollars buck bucks pound pounds ' +
    'rub руб р грн ден лв kn ks rp rm nt hk us won yen yuan rmb dh dhs đ btc eth usdc usdt eurc'
  ).split(' '),
)

/** True for a currency as people write it beside a number: `EUR`, `kr`, `zł`. */
export function isCurrency(word: string): boolean {
  if (informal.has(word.toLowerCase())) return true
  return /^[A-Za-z]{3}$/.test(word) && Intl.supportedValuesOf('currency').includes(word.toUpperCase())
}
