/** Limits up to which rendering is instant; measured with the worst texts of each kind. */
const most = { characters: 50_000, cells: 5000, links: 1000 }

/** Deeply nested quotes or lists, on one line or by indentation. */
const nested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){50}|^[ \t]{100,}(?:>|[-*+]|\d{1,9}[.)])/m

/** Whether Markdown would take too long, or nest deeper than browsers can handle: it is then shown as plain text. */
export function isHeavy(text: string): boolean {
  return (
    text.length > most.characters ||
    count(text, '|') > most.cells ||
    count(text, '](') > most.links ||
    count(text, '[^') > most.links ||
    nested.test(text)
  )
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
