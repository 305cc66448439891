import type { ReactNode } from 'react'

/** A label with an element in place of its value, wherever the language puts it. */
export function SentenceWith({ of, children }: { of: (value: string) => string; children: ReactNode }) {
  const [before, after] = of('\0').split('\0')
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
