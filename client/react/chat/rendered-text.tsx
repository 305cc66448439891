import { lazy, type ReactNode, Suspense } from 'react'

// Loaded with the first answer, to keep it out of the initial page.
const Markdown = lazy(() => import('./markdown.tsx'))

/** The model's text: plain until the Markdown renderer is loaded. */
export function renderText(text: string): ReactNode {
  return (
    <Suspense
      fallback={
        <p className="askback-plain" aria-busy="true">
          {text}
        </p>
      }
    >
      <Markdown text={text} />
    </Suspense>
  )
}
