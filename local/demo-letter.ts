/** What the demo model reads out of a request in plain English. */
export interface Letter {
  subject: string
  body: string
}

/** A request for an e-mail. */
export function asksForEmail(text: string): boolean {
  return (
    /\b(?:e-?mail|mail|write to|message to)\b/i.test(text) && /\b(?:send|write|mail|e-?mail)\b/i.test(text)
  )
}

/** The addresses of a text that follow `to` (or nothing at all), `cc` and `bcc`. */
export function readAddresses(text: string): { to: string[]; cc: string[]; bcc: string[] } {
  const found = { to: [] as string[], cc: [] as string[], bcc: [] as string[] }
  let place: keyof typeof found = 'to'
  for (const [word] of text.matchAll(
    /\bb?cc\b|\bto\b|[^\s<>()[\],;:"'“”]+@[^\s<>()[\],;:"'“”@]+\.\p{L}{2,}/giu,
  )) {
    const known = word.toLowerCase()
    if (known === 'to' || known === 'cc' || known === 'bcc') place = known
    else if (!found[place].includes(word)) found[place].push(word)
  }
  return found
}

/** Subject and text as the request says them, else made from its topic. */
export function writeLetter(request: string): Letter {
  const topic =
    /\b(?:about|regarding)\s+(.+?)(?=\s+(?:to|cc|bcc|saying|that says|with the (?:subject|text))\b|[.!?\n]|$)/i
      .exec(request)?.[1]
      ?.trim() ?? ''
  const subject = /\bsubject\b[:\s]*["“'](.+?)["”']/i.exec(request)?.[1] ?? titleOf(topic)
  const said =
    /\b(?:saying|that says|text|body)\b[:\s]*(?:that\s+)?["“](.+?)["”]/is.exec(request)?.[1] ??
    /\b(?:saying|that says)\b[:\s]*(?:that\s+)?([^"“].+)$/is.exec(request)?.[1]
  const body = said?.trim() ?? `Hello,\n\nthis is about ${topic || 'what we discussed'}.\n\nBest regards`
  return { subject, body }
}

function titleOf(topic: string): string {
  const words = topic.replace(/^(?:the|our|my|an?)\s+/i, '')
  return words === '' ? 'Hello' : words.charAt(0).toUpperCase() + words.slice(1)
}
