const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A piece of HTML from a provider as plain text: `<b>Tom &amp; Ann</b>` is `Tom & Ann`. */
export function plainText(html: string): string {
  return html
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(#x?)?([0-9a-z]{1,8});/gi, (whole, number: string | undefined, name: string) => {
      if (number === undefined) return entities[name.toLowerCase()] ?? whole
      const code = Number.parseInt(name, number.length === 2 ? 16 : 10)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
    .replace(/\s+/g, ' ')
    .trim()
}
