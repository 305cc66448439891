/** What is still drawn in a moment; measured with the worst texts of each kind. */
const most = { characters: 50_000, cells: 5000, links: 1000 }

/** Quotes or lists in one another: in one line, or by how far a line is indented. */
const nested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){50}|^[ \t]{100,}(?:>|[-*+]|\d{1,9}[.)])/m

/** Whether Markdown would take long, or more levels than a browser can hold: it is shown as plain text then. */
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
