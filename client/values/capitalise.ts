/** A file of its own: a page needs it before it needs any sentence. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
