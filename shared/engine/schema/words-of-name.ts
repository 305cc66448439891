/** Always written in capitals. */
const acronyms = new Set(
  'id url uri api ip http https html css json xml sql csv pdf uuid guid iban bic vat ssn dob sku dns ssl tls smtp imap sms gps cpu ram usb faq sha jwt otp isbn iata icao cve cvss cpe cik sdk ui utc pr uid pid poi png gif jpeg svg dom eta os'.split(
    ' ',
  ),
)

/** Longer texts are not names, and a model may write anything. */
const maxCharacters = 200

/** A name in words: `departureDate` becomes `departure date`, `repo_url` `repo URL`, `line2` `line 2`. */
export function spellOutName(name: string): string[] {
  return name
    .slice(0, maxCharacters)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2')
    .replace(/(\p{Ll}{3,})(\d+)(?!\p{L})/gu, '$1 $2')
    .split(/[\s_\-./:]+/)
    .filter((word, index, parts) => word !== '' && !(index === 0 && parts.length > 1 && /^the$/i.test(word)))
    .map(spellOutWord)
}

/** One word as it is written inside a sentence. */
export function spellOutWord(part: string): string {
  if (part.length === 1) return part
  const lower = part.toLowerCase()
  if (acronyms.has(lower)) return lower.toUpperCase()
  const one = lower.replace(/s$/, '')
  if (acronyms.has(one)) return `${one.toUpperCase()}s`
  return lower
}

export function isAcronym(word: string): boolean {
  return acronyms.has(word.toLowerCase().replace(/s$/, ''))
}

function isPlural(word: string): boolean {
  return (
    /(?:[^\Wsui]|[aeo]u|\b\p{L}{1,4}i|\d)s$/iu.test(word) &&
    !/^(?:news|lens|always|basis|species|series)$/i.test(word)
  )
}

/** The singular: `addresses` becomes `address`; `undefined` if the word is not a plural. */
export function makeSingular(word: string): string | undefined {
  if (!isPlural(word)) return undefined
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`
  return word.replace(/(?:(?<=ss|sh|ch|x|z|\p{L}{2}[itnrp]us)es|s)$/iu, '')
}
