/**
 * Joins the lines of `format=flowed` text that were broken only to be sent (RFC 3676). `deleteSpace`: the space before a
 * break is not part of the text (`delsp=yes`).
 */
export function joinFlowed(text: string, deleteSpace: boolean): string {
  const lines: string[] = []
  let open: { depth: number } | undefined
  for (const line of text.split(/\r?\n/)) {
    const quotes = /^>*/.exec(line)?.[0] ?? ''
    const content = line.slice(quotes.length).replace(/^ /, '')
    const isSignature = content === '-- '
    const isSoft = content.endsWith(' ') && !isSignature
    const kept = isSoft && deleteSpace ? content.slice(0, -1) : content
    if (open?.depth === quotes.length && !isSignature) lines.push((lines.pop() ?? '') + kept)
    else lines.push(quotes === '' ? kept : `${quotes} ${kept}`)
    open = isSoft ? { depth: quotes.length } : undefined
  }
  return lines.join('\n')
}
