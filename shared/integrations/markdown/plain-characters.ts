/** Characters that Google Docs removes from inserted text (documents.batchUpdate, InsertTextRequest), and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
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

/** Text as Docs stores it, so that indices counted here are valid there (UTF-16 code units). */
export function plainCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(leftOut, '')
}

/** Decodes HTML character references in Markdown: `&amp;`, `&#8364;`. Unknown ones stay as they are. */
export function withoutReferences(text: string): string {
  return text.replace(entity, (written, decimal, hexadecimal, name) => {
    if (name) return entities[name.toLowerCase()] ?? written
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
  })
}
