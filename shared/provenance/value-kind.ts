import { amountsIn, readAmount } from './amount.ts'
import { foldIban, isIban, namesIban } from './bank-account.ts'
import { addressOfValue, namesAddress } from './email-address.ts'
import { isSamePhoneNumber, phoneNumbersIn, readPhoneNumber } from './phone-number.ts'
import { namesText } from './plain-text.ts'
import type { SourcedValue } from './sourced-values.ts'
import { foldWebAddress, webAddressesIn } from './web-address.ts'

/** Says whether a text names a value whole. The text is NFKC-folded by the caller. */
export type NamedIn = (text: string) => boolean

const never: NamedIn = () => false

/** How a value is recognised in a text: by what its schema and its form say that it is. */
export function recognise({ value, schema, name }: SourcedValue): NamedIn {
  if (typeof value === 'number') {
    // A long whole number may be an account or order number, which is written without grouping.
    const isCode = Number.isSafeInteger(value) && value >= 1_000_000
    return (text) => amountsIn(text).includes(value) || (isCode && namesText(text, String(value)))
  }
  const kind = kindOf(value, schema, name)
  switch (kind) {
    case 'email': {
      const addresses = addressesOfValue(value)
      return addresses === undefined
        ? never
        : (text) => addresses.every((address) => namesAddress(text, address))
    }
    case 'iban': {
      const folded = foldIban(value)
      return (text) => namesIban(text, folded)
    }
    case 'phone': {
      const number = readPhoneNumber(value)
      if (!number) return (text) => namesText(text, value)
      return (text) =>
        phoneNumbersIn(text).some((other) => isSamePhoneNumber(number, other)) || namesText(text, value)
    }
    case 'amount': {
      const amount = readAmount(value)
      return (text) => amount !== undefined && amountsIn(text).includes(amount)
    }
    case 'url': {
      const folded = foldWebAddress(value)
      return folded === undefined ? never : (text) => webAddressesIn(text).includes(folded)
    }
    case 'text':
      return (text) => namesText(text, value)
  }
}

type Kind = 'email' | 'iban' | 'phone' | 'amount' | 'url' | 'text'

function kindOf(value: string, schema: JsonSchemaFacts, name: string): Kind {
  const words =
    `${name.replace(/([a-z])([A-Z])/g, '$1 $2')} ${schema.title ?? ''} ${schema.description ?? ''} ${schema.format ?? ''}`.toLowerCase()
  if (/email/.test(schema.format ?? '') || value.includes('@')) return 'email'
  if (/^(uri|url|iri)/.test(schema.format ?? '') || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'url'
  if (isIban(value) || /\biban\b/.test(words)) return 'iban'
  if (
    /^\s*(?:tel:|\+)/i.test(value) ||
    /\b(phones?|mobile|tel|telephone|cell|fax|whatsapp|sms|msisdn|e\.164)\b/.test(words)
  )
    return 'phone'
  if (/^\s*\d{1,3}([.,' \u00a0]?\d{3})*[.,]\d{1,2}\s*$/.test(value)) return 'amount'
  if (/\b(amount|price|sum|total|cost|fee|betrag|quantity)\b/.test(words) && readAmount(value) !== undefined)
    return 'amount'
  if (/^[\d\s()./-]{7,}$/.test(value)) return 'phone'
  return 'text'
}

type JsonSchemaFacts = Pick<SourcedValue['schema'], 'title' | 'description' | 'format'>

/** The addresses that a call's value holds: one, or a list written as one text; undefined when any part is none. */
function addressesOfValue(value: string): string[] | undefined {
  const single = addressOfValue(value)
  if (single !== undefined) return [single]
  const parts = value.split(/[,;]/).map((part) => addressOfValue(part))
  return parts.every((part) => part !== undefined) ? parts : undefined
}
