/** A mail that a request asks for. */
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

/** The addresses in a text: those after `cc` and `bcc`, all others as `to`. */
export function readAddresses(text: string): { to: string[]; cc: string[]; bcc: string[] } {
  const found = { to: new Set<string>(), cc: new Set<string>(), bcc: new Set<string>() }
  let place: keyof typeof found = 'to'
  for (const word of text.split(wordEnds)) {
    const known = word.toLowerCase()
    const address = readAddress(word)
    if (isPlace(known)) place = known
    else if (address !== undefined) found[place].add(address)
  }
  return { to: [...found.to], cc: [...found.cc], bcc: [...found.bcc] }
}

const wordEnds = /[\s<>()[\],;:"'“”]+/

function isPlace(word: string): word is 'to' | 'cc' | 'bcc' {
  return word === 'to' || word === 'cc' || word === 'bcc'
}

/** Without the full stop that ends the sentence. */
function readAddress(word: string): string | undefined {
  const at = word.lastIndexOf('@')
  const domain = /^.+\.\p{L}{2,}/u.exec(word.slice(at + 1))?.[0]
  return at < 1 || domain === undefined ? undefined : word.slice(0, at + 1) + domain
}

/** Subject and text as the request gives them, or made up from its topic; otherwise the text is the request itself. */
export function writeLetter(request: string): Letter {
  const topic = readTopic(request)
  const subject = quotedAfter(/\bsubject\b[:\s]*["“']/i, request, /["”']/) ?? writeTitle(topic)
  const said =
    quotedAfter(/\b(?:saying|that says|text|body)\b[:\s]*(?:that\s+)?["“]/i, request, /["”]/) ??
    /\b(?:saying|that says)\b[:\s]*(?:that\s+)?([^"“].+)$/is.exec(request)?.[1] ??
    // After a topic, it can belong to that.
    (topic === '' ? /\bthat\s+([^"“].+)$/is.exec(request)?.[1] : undefined)
  const made = saysMore(request, topic) ? request.trim() : `Hello,\n\nthis is about ${topic}.\n\nBest regards`
  return { subject, body: said?.trim() ?? made }
}

/** Whether more follows a topic than recipients, or there is no topic. */
function saysMore(request: string, topic: string): boolean {
  if (topic === '') return true
  const rest = request.slice(request.indexOf(topic) + topic.length).split(wordEnds)
  return rest.some((word) => /[\p{L}\d]/u.test(word) && !isPlace(word) && readAddress(word) === undefined)
}

/** Whether a text gives a subject, a topic or the words of a mail. */
export function saysWhat(text: string): boolean {
  const { subject, body } = writeLetter(text)
  return subject !== writeTitle('') || body !== text.trim()
}

/** What follows `about`, up to the end of the sentence or the next part of the request. */
export function readTopic(request: string): string {
  const start = /\b(?:about|regarding)\s/i.exec(request)
  if (start === null) return ''
  const rest = request.slice(start.index + start[0].length).trimStart()
  const end = rest.search(/\s(?:to|cc|bcc|saying|that says|with the (?:subject|text))\b|[.!?\n]/i)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/**
 * The text between `opening` and the next `closing`; undefined where either is missing, or nothing stands between them.
 */
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
