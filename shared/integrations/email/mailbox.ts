import { type EmailAddressReading, readEmailAddress } from '../../engine/schema/email-format.ts'

/** Who a mail comes from: `name` is empty if there is none. */
export interface Mailbox {
  name: string
  address: string
}

/** Reads `ada@example.com`, `Ada Lovelace <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>`. */
export function readMailbox(text: string): { ok: true; mailbox: Mailbox } | { ok: false; fault: string } {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    return { ok: false, fault: 'it contains a line break or a control character' }
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text.trim())
  const reading: EmailAddressReading = readEmailAddress(named?.[2]?.trim() ?? text.trim())
  if (!reading.ok) return reading
  const name = (named?.[1] ?? '').trim()
  const unquoted = /^"(.*)"$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name
  return { ok: true, mailbox: { name: unquoted, address: reading.address } }
}
