import { asksForEmail, type Letter, readAddresses, saysWhat, writeLetter } from './letter.ts'

/** One of several mails, to whom it goes. */
export type AddressedLetter = Letter & { to: string[]; cc?: string[]; bcc?: string[] }

/** The mails of a request for several, in its order; empty if it asks for less than two. */
export function readLetters(request: string): AddressedLetter[] {
  if (!asksForSeveral(request)) return []
  const parts = splitRequest(request)
  const letters = parts.map(readLetter)
  const mails = parts.flatMap((part, at): AddressedLetter[] => {
    const { to, cc, bcc } = readAddresses(part)
    // "To Ada, Bob and Eve saying …": what stands after all of them, or before, is for each.
    const letter =
      letters.slice(at).find((one) => one !== undefined) ??
      letters.slice(0, at).findLast((one) => one !== undefined) ??
      writeLetter(request)
    const copies = { ...(cc.length > 0 ? { cc } : {}), ...(bcc.length > 0 ? { bcc } : {}) }
    return to.length > 0 ? [{ to, ...copies, ...letter }] : []
  })
  return mails.length > 1 ? mails : []
}

/** "Send three emails", "an email … and one to …". */
function asksForSeveral(text: string): boolean {
  if (/\b(?:send|write)\b/i.test(text) && /\b(?:e-?mails|mails)\b/i.test(text)) return true
  const named = text.match(/\b(?:an? e-?mail|an? mail|another|one (?:to|about|for))\b/gi) ?? []
  return asksForEmail(text) && named.length > 1
}

/** A part begins with the clause of each recipient; what stands before the first one is a part, too. */
function splitRequest(request: string): string[] {
  const starts = [0]
  const clauses = [0, ...[...request.matchAll(/[,;:.]\s|\n|\sand\s/gi)].map(({ index }) => index + 1)]
  for (const [at, start] of clauses.entries())
    if (start > 0 && readAddresses(request.slice(start, clauses[at + 1])).to.length > 0) starts.push(start)
  return starts.map((start, at) => cutEnd(request.slice(start, starts[at + 1])))
}

/** Without what joins a part to the next one. */
function cutEnd(part: string): string {
  const text = part.trimEnd().replace(/[,;\s]and$/i, '')
  return /[,;:]$/.test(text) ? text.slice(0, -1) : text
}

/** What a part says, or what follows its last address; undefined if it says nothing. */
function readLetter(part: string): Letter | undefined {
  if (saysWhat(part)) return writeLetter(part)
  const [, body = ''] = /^\S*[\s:]+(.*)$/s.exec(part.slice(part.lastIndexOf('@'))) ?? []
  return part.includes('@') && body !== '' ? { ...writeLetter(''), body } : undefined
}
