import { lazy, type ReactNode, Suspense } from 'react'

// Loaded with the first answer: the page is there before.
const Markdown = lazy(() => import('./markdown.tsx'))

/** The model's words: plain until the Markdown is there. */
export function renderText(text: string): ReactNode {
  return (
    <Suspense fallback={<p>{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  )
}
