/** The first `length` characters of a text, the last one `…` if it is longer. */
export function clipText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
