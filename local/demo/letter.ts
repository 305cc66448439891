/** What the demo model reads out of a request in plain English. */
export interface Letter {
  subject: string
  body: string
}

/** A request for an email. */
export function asksForEmail(text: string): boolean {
  return (
    /\b(?:e-?mail|mail|write to|message to)\b/i.test(text) && /\b(?:send|write|mail|e-?mail)\b/i.test(text)
  )
}

/** The addresses of a text that follow `to` (or nothing at all), `cc` and `bcc`. */
export function readAddresses(text: string): { to: string[]; cc: string[]; bcc: string[] } {
  const found = { to: new Set<string>(), cc: new Set<string>(), bcc: new Set<string>() }
  let place: keyof typeof found = 'to'
  for (const word of text.split(/[\s<>()[\],;:"'“”]+/)) {
    const known = word.toLowerCase()
    const address = readAddress(word)
    if (known === 'to' || known === 'cc' || known === 'bcc') place = known
    else if (address !== undefined) found[place].add(address)
  }
  return { to: [...found.to], cc: [...found.cc], bcc: [...found.bcc] }
}

/** Without what follows the domain: the dot of a sentence. */
function readAddress(word: string): string | undefined {
  const at = word.lastIndexOf('@')
  const domain = /^.+\.\p{L}{2,}/u.exec(word.slice(at + 1))?.[0]
  return at < 1 || domain === undefined ? undefined : word.slice(0, at + 1) + domain
}

/** Subject and text as the request says them, else made from its topic. */
export function writeLetter(request: string): Letter {
  const topic = readTopic(request)
  const subject = quotedAfter(/\bsubject\b[:\s]*["“']/i, request, /["”']/) ?? writeTitle(topic)
  const said =
    quotedAfter(/\b(?:saying|that says|text|body)\b[:\s]*(?:that\s+)?["“]/i, request, /["”]/) ??
    /\b(?:saying|that says)\b[:\s]*(?:that\s+)?([^"“].+)$/is.exec(request)?.[1]
  const body = said?.trim() ?? `Hello,\n\nthis is about ${topic || 'what we discussed'}.\n\nBest regards`
  return { subject, body }
}

/** What follows `about`, to the end of the sentence or to what else the request says. */
export function readTopic(request: string): string {
  const start = /\b(?:about|regarding)\s/i.exec(request)
  if (start === null) return ''
  const rest = request.slice(start.index + start[0].length).trimStart()
  const end = rest.search(/\s(?:to|cc|bcc|saying|that says|with the (?:subject|text))\b|[.!?\n]/i)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/** What stands between an opening and the next closing quote; where the first one stays open, all later ones do. */
export function quotedAfter(opening: RegExp, text: string, closing: RegExp): string | undefined {
  const start = opening.exec(text)
  if (start === null) return undefined
  const rest = text.slice(start.index + start[0].length)
  const end = rest.search(closing)
  return end > 0 ? rest.slice(0, end) : undefined
}

export function writeTitle(topic: string): string {
  const words = topic.replace(/^(?:the|our|my|an?)\s+/i, '')
  return words === '' ? 'Hello' : words.charAt(0).toUpperCase() + words.slice(1)
}
