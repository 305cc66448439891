import type { ReactNode } from 'react'
import { PageTitle } from './page-title.tsx'

/** The title of a page, also in the tab, what it is about, and what can be done with all of it. */
export function PageHead({ title, note, children }: { title: string; note: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <PageTitle>{title}</PageTitle>
      <div>
        <h1>{title}</h1>
        <p className="quiet">{note}</p>
      </div>
      {children}
    </header>
  )
}
