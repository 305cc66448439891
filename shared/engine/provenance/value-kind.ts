import { isLongNumber } from '../core/exact-json.ts'
import { namesAmount, readAmount } from './amount.ts'
import { foldIban, isIban, namesAccount } from './bank-account.ts'
import { namesAddress, readAddress } from './email-address.ts'
import { namesPhoneNumber, readPhoneNumber } from './phone-number.ts'
import { namesText } from './plain-text.ts'
import { asText } from './readable-text.ts'
import type { TypedValue } from './sourced-values.ts'
import { foldWebAddress, namesWebAddress } from './web-address.ts'

/** Whether a text contains a value whole. The caller folds the text by NFKC. */
export type NamedIn = (text: string) => boolean

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u
const never: NamedIn = () => false

/** What a value is, as its schema and its form suggest. */
export function kindOf({ value, schema, name }: TypedValue): Kind {
  const words = wordsAbout(schema, name)
  return typeof value === 'number' ? classifyNumber(value, words) : classifyText(value, schema, words)
}

/** A matcher for a value, depending on its kind. */
export function recognise(given: TypedValue): NamedIn {
  const { value, schema, name } = given
  const words = wordsAbout(schema, name)
  const kind = kindOf(given)
  const text = String(value)
  // Nothing invisible to the user is folded away.
  if (kind !== 'email' && invisible.test(text)) return (other) => namesText(other, text)
  switch (kind) {
    case 'email': {
      const addresses = readAddresses(text)
      return addresses === undefined
        ? never
        : (other) => addresses.every((address) => namesAddress(other, address))
    }
    case 'account': {
      const folded = foldIban(text)
      return (other) => namesAccount(other, folded)
    }
    case 'phone': {
      // A number type keeps neither the plus nor a leading zero.
      const written = typeof value === 'number' ? [text, `+${text}`] : [text]
      const numbers = written.map(readPhoneNumber).filter((number) => number !== undefined)
      const named = numbers.map(namesPhoneNumber)
      return (other) =>
        named.length > 0 ? named.some((isNamedIn) => isNamedIn(other)) : namesText(other, text)
    }
    case 'amount': {
      const amount = typeof value === 'number' ? value : readAmount(text)
      const percentages = /%|\b(percent|percentage|rate|discount|share)\b/.test(words)
      const minorUnits = /\b(cents?|minor units?|smallest currency unit|pence)\b/.test(words)
      return amount === undefined ? never : namesAmount(amount, { percentages, minorUnits })
    }
    case 'url': {
      const folded = foldWebAddress(text)
      return folded === undefined ? never : namesWebAddress(folded)
    }
    case 'text':
      return (other) => namesText(other, text)
  }
}

/** Whether a value stands for a mail address. */
export function meansAddress({ value, schema, name }: TypedValue): boolean {
  return typeof value === 'string' && classifyText(value, schema, wordsAbout(schema, name)) === 'email'
}

/**
 * Whether a single value from elsewhere that contains `value` is nothing more: a display name beside it, or part of
 * it, does not count, but a full path segment or query value of a web address does.
 */
export function isWhole(value: TypedValue, other: string | number): boolean {
  return isWebAddress.test(String(other)) || recognise({ ...value, value: other })(asText(value.value))
}

const isWebAddress = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

type Kind = 'email' | 'account' | 'phone' | 'amount' | 'url' | 'text'

const phoneWords = /\b(phones?|mobile|tel|telephone|cell|fax|whatsapp|sms|msisdn|e\.164)\b/
const amountWords = /\b(amount|price|sum|total|cost|fee|betrag|quantity)\b/

const accountWords = /\b(account|card|routing|sort code|bsb|clabe|konto|kontonummer)\b/

/** What the schema says about a parameter, in lower case. */
function wordsAbout({ title, description, format }: JsonSchemaFacts, name: string): string {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return `${spaced} ${title ?? ''} ${description ?? ''} ${format ?? ''}`.toLowerCase()
}

function classifyNumber(value: number, words: string): Kind {
  if (amountWords.test(words)) return 'amount'
  if (phoneWords.test(words)) return 'phone'
  return accountWords.test(words) && /^\d{5,}$/.test(String(value)) ? 'account' : 'amount'
}

function classifyText(value: string, schema: JsonSchemaFacts, words: string): Kind {
  if (/email/.test(schema.format ?? '')) return 'email'
  if (/^(uri|url|iri)/.test(schema.format ?? '') || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'url'
  if (/[^\s@]@[^\s@]/.test(value)) return 'email'
  if (isIban(value) || /\biban\b/.test(words)) return 'account'
  if (accountWords.test(words) && /^[\d\s-]{4,}$/.test(value)) return 'account'
  if (/^\s*(?:tel:|\+)/i.test(value) || phoneWords.test(words)) return 'phone'
  // Compared digit by digit: as an amount it would be rounded.
  if (isLongNumber(value)) return 'text'
  if (/^\s*\d{1,3}([.,' \u00a0]?\d{3})*[.,]\d{1,2}\s*$/.test(value)) return 'amount'
  if ((amountWords.test(words) || /\p{Sc}/u.test(value)) && readAmount(value) !== undefined) return 'amount'
  if (/^[\d\s()./-]{7,}$/.test(value)) return 'phone'
  return 'text'
}

type JsonSchemaFacts = Pick<TypedValue['schema'], 'title' | 'description' | 'format'>

/** The addresses in a value: one, or a list written as one string; undefined if any part is not an address. */
export function readAddresses(value: string): string[] | undefined {
  const single = readAddress(value)
  if (single !== undefined) return [single]
  const parts = value.split(/[,;]/).map((part) => readAddress(part))
  return parts.every((part) => part !== undefined) ? parts : undefined
}
