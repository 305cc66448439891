/** The first `length` characters of a text, the last of them `…` where it goes on. */
export function clipText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
