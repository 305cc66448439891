/**
 * Splits a typed list at commas, semicolons or line breaks, except within quotes:
 * `"Lovelace, Ada" <ada@example.com>` is one item.
 */
export function splitList(typed: string, separators = ',;\n'): string[] {
  const items: string[] = []
  let item = ''
  for (let index = 0; index < typed.length; index++) {
    const character = typed.charAt(index)
    const quoted = character === '"' && item.trim() === '' ? quotedText(typed, index) : ''
    if (quoted !== '') {
      item += quoted
      index += quoted.length - 1
    } else if (separators.includes(character)) {
      items.push(item)
      item = ''
    } else item += character
  }
  return [...items, item].map((one) => one.trim()).filter(Boolean)
}

/** The text from a quote to the closing quote on the same line; empty if there is none. */
function quotedText(typed: string, from: number): string {
  const quoted = /"(?:[^"\\\n]|\\[^\n])*"/y
  quoted.lastIndex = from
  return quoted.exec(typed)?.[0] ?? ''
}

/** The address in `"Lovelace, Ada" <ada@example.com>`, as mail programs copy it; any other text unchanged. */
export function bareAddress(typed: string): string {
  return /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/.exec(typed)?.[1] ?? typed
}
