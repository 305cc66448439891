/**
 * The items of a list that somebody has typed, between commas, semicolons or lines. What stands in quotes is no end of
 * an item: `"Lovelace, Ada" <ada@example.com>` is one.
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

/** From a quote to the one that closes it in the same line; empty where none does. */
function quotedText(typed: string, from: number): string {
  const quoted = /"(?:[^"\\\n]|\\[^\n])*"/y
  quoted.lastIndex = from
  return quoted.exec(typed)?.[0] ?? ''
}

/** The address of `"Lovelace, Ada" <ada@example.com>`, as mail programs copy it; any other text as it is. */
export function bareAddress(typed: string): string {
  return /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/.exec(typed)?.[1] ?? typed
}
