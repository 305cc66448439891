/** What Google Docs leaves out of inserted text (documents.batchUpdate, InsertTextRequest), and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const leftOut = /[\u0000-\u0008\u000c-\u001f\ue000-\uf8ff]|\p{Surrogate}/gu

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi

/** Text as Docs keeps it, so that every index counted here is its index there (UTF-16 code units). */
export function plainCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(leftOut, '')
}

/** Markdown keeps the character references of HTML: `&amp;`, `&#8364;`. One that nobody knows stays as it is. */
export function withoutReferences(text: string): string {
  return text.replace(entity, (written, decimal, hexadecimal, name) => {
    if (name) return entities[name.toLowerCase()] ?? written
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
  })
}
