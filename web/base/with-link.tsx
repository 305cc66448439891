import type { ReactNode } from 'react'

/**
 * A sentence in which the text in brackets is a link.
 *
 * @example
 * <WithLink words="Mail lands in [its inbox]." link={(inbox) => <a href="/inbox">{inbox}</a>} />
 */
export function WithLink({ words, link }: { words: string; link(inside: string): ReactNode }) {
  const [before, inside = '', after] = words.split(/[[\]]/)
  return (
    <>
      {before}
      {link(inside)}
      {after}
    </>
  )
}
