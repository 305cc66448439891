import { digitsOfAmount, readAmount } from './amount.ts'
import { foldIban } from './bank-account.ts'
import { digitsInARow } from './digits.ts'
import type { TypedValue } from './sourced-values.ts'
import { kindOf, readAddresses } from './value-kind.ts'

/** Characters of a value that are searched for; digits at the end of a phone number, which has national forms. */
const longest = 60
const endOfPhone = 7

/** What stands between letters and digits, also in a web address. */
const separator = '(?:[^[:alnum:]]|%[0-9A-Fa-f]{2}){0,3}'

/**
 * A regular expression of PostgreSQL for the texts (normalised to NFKC) that may hold a value: numbers by their digits,
 * everything by its letters, in either case. It finds too much rather than too little: whether a value stands in a text
 * is for `recognise` to say. Undefined for a value without letters and digits.
 */
export function valuePattern(given: TypedValue): string | undefined {
  const text = String(given.value).normalize('NFKC')
  switch (kindOf(given)) {
    case 'email': {
      const [address = text] = readAddresses(text) ?? []
      return inARow(withoutForeignDomain(address), '')
    }
    case 'amount': {
      const amount = typeof given.value === 'number' ? given.value : readAmount(text)
      const digits = amount === undefined ? '' : digitsOfAmount(amount)
      return digits === '' ? undefined : `(?<![1-9])${digitsInARow(digits, separator)}(?![1-9])`
    }
    case 'phone':
      return inARow(text.replace(/\P{Nd}/gu, '').slice(-endOfPhone), separator)
    case 'account':
      return inARow(foldIban(text), separator)
    case 'url':
      return inARow(siteIn(text), '')
    case 'text':
      return inARow(text, separator)
  }
}

/** A domain that is not plain ASCII has two spellings. */
function withoutForeignDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return /^(?!.*xn--)[!-~]+$/i.test(domain) ? address : address.slice(0, address.length - domain.length)
}

/** The name of a site, as far as it has one spelling: an address can be written in many ways. */
function siteIn(address: string): string {
  const [site = ''] = address.replace(/^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?/i, '').split(/[/?#:]/)
  const labels = site.split('.')
  const first = labels.findLastIndex((label) => /^xn--|[^!-~]/i.test(label)) + 1
  return labels.slice(first).join('.')
}

/** With a separator, only letters and digits count. */
function inARow(text: string, between: string): string | undefined {
  const characters = Array.from(between === '' ? text : text.replace(/[^\p{L}\p{M}\p{N}]/gu, ''))
  if (characters.length === 0) return undefined
  return characters
    .slice(0, longest)
    .map((character) => (/\d/.test(character) ? digitsInARow(character, '') : inEitherCase(character)))
    .join(between)
}

/** Whatever the database's locale says about cases. */
function inEitherCase(character: string): string {
  if (/[!-/:-@[-`{-~]/.test(character)) return `(?:\\${character}|%${hexOf(character)})`
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
  if ([...cases].some((one) => Array.from(one).length > 1)) return '.{1,3}'
  return cases.size === 1 ? character : `[${[...cases].join('')}]`
}

/** As percent-encoded, in either case. */
function hexOf(character: string): string {
  return Array.from(character.charCodeAt(0).toString(16), inEitherCase).join('')
}
