import { isValidElement, type ReactNode } from 'react'

/**
 * A link from untrusted text. It leads to a website or a mail address; any other link stays text. If the text is not the
 * address itself, the real target is shown beside it.
 */
export function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = readAddress(href)
  if (url === undefined) return <>{children}</>
  const place = placeOf(url)
  return (
    // Another address is another link: while an answer is written, one may become the other.
    <a key={url.href} href={url.href} title={url.href} dir="auto" target="_blank" rel="noopener noreferrer">
      {children}
      {!names(wordsOf(children), place) && <bdi className="askback-place"> ({place})</bdi>}
    </a>
  )
}

/** Accepts a complete URL only, never a relative one. */
function readAddress(href: unknown): URL | undefined {
  if (typeof href !== 'string' || !/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href))
    return undefined
  return new URL(href)
}

/** Where a link leads: its host in ASCII, which cannot imitate other letters, or the recipients. */
function placeOf({ protocol, host, pathname }: URL): string {
  return protocol === 'mailto:' ? decodeSafely(pathname) : host
}

function names(words: string, place: string): boolean {
  const said = words.trim().replace(/^(?:https?:\/\/|mailto:)/i, '')
  const rest = said.slice(place.length)
  return said.slice(0, place.length).toLowerCase() === place && /^(?:[/?#].*)?$/s.test(rest)
}

function wordsOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(wordsOf).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? wordsOf(node.props.children) : ''
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
