/** Characters of a line that are read: a header shows what it is before that. */
const longest = 2000

const address = /[^\s@<>]@[^\s@<>]/
const angleAddress = /<\s*[^\s@<>]+@[^\s@<>]+>/
const timeOfDay = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/

/**
 * `Name: value`, also as a table row; the name in any language, of at most three words. List items (`- Ada: …`)
 * and web addresses do not count.
 */
const field =
  /^[ \t]*[*_|]{0,3}[ \t]*(?!mailto:|\p{L}+:\/\/)\p{L}[\p{L}\p{M}\p{N}.'’/()-]{0,30}(?:[ \u00a0][\p{L}\p{M}\p{N}.'’/()-]{1,30}){0,2}[*_]{0,3}[ \u00a0\u202f]?(?:[:：\t]|[ ]?\|)[*_]{0,3}(.*)$/u
/** An indented line belongs to the one above it, and a line of dashes to its table. */
const goesOn = /^[ \t]+\S|^\|[\s|:-]*$/
const inlineField = /(?<![^\s*_])[\p{L}\p{M}-]{1,20}[*_]{0,2}[ \u00a0\u202f]?[:：][*_]{0,2}\s/gu
const dash = /[-_\u2010-\u2015\u2500\u2501]/
const fewestDashes = 3

/**
 * Where a pasted or forwarded mail starts in a text, in any language: at a line like `--- Forwarded ---`, at a header
 * (two or more lines `Name: value`, one of them with an address), at one that lost its line breaks, or at a line that
 * says who wrote what follows. Its end cannot be detected. A single line like `Send to: ada@example.com` does not count.
 */
export function pastedMailStart(text: string): number | undefined {
  let start = 0
  let header: { start: number; fields: number; hasAddress: boolean } | undefined
  let previous = ''
  let previousStart = 0
  for (const [whole, written = ''] of text.matchAll(/([^\n\r]*)(?:\r\n|[\n\r]|$)/g)) {
    const line = written.slice(0, longest)
    if (isSeparator(line) || isHeaderInOneLine(line) || readsAsAttribution(line, false)) return start
    if (previous !== '' && readsAsAttribution(`${previous} ${line}`, false)) return previousStart
    const value = field.exec(line)?.[1]
    if (value !== undefined && (header || /[^\s|]/.test(value))) {
      header ??= { start, fields: 0, hasAddress: false }
      header.fields++
      header.hasAddress ||= address.test(line)
    } else if (header && goesOn.test(line)) header.hasAddress ||= address.test(line)
    else header = undefined
    if (header && header.fields >= 2 && header.hasAddress) return header.start
    previous = line.trim()
    previousStart = start
    start += whole.length
  }
  return undefined
}

/**
 * Whether a line says who wrote the text below it, like `On 3 May 2021 at 10:12, Ada <ada@example.com> wrote:`. Above
 * quoted lines a name with an address is enough, or an address with a time; otherwise it takes a time and a date.
 */
export function readsAsAttribution(written: string, isAboveQuote: boolean): boolean {
  const line = written.slice(-longest).trim()
  if (!/[:：]$/.test(line) || !address.test(line)) return false
  if (isAboveQuote) return angleAddress.test(line) || timeOfDay.test(line)
  const words = line.replace(timeOfDay, '').split(/\s/)
  return timeOfDay.test(line) && words.some((word) => /\d/.test(word) && !word.includes('@'))
}

/** `From: … Sent: … To: …`: three fields and a date or time. Three without one are an instruction on one line. */
function isHeaderInOneLine(line: string): boolean {
  if (!address.test(line) || !(timeOfDay.test(line) || /(?<!\d)\d{4}(?!\d)/.test(line))) return false
  return (line.match(inlineField) ?? []).length >= 3
}

/** `-----Original Message-----`: any words between dashes. */
function isSeparator(written: string): boolean {
  const line = written.trim()
  let front = 0
  let back = line.length
  while (dash.test(line.charAt(front))) front++
  while (back > front && dash.test(line.charAt(back - 1))) back--
  return front >= fewestDashes && line.length - back >= fewestDashes && back > front
}
