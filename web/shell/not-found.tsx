import { notFoundWords } from './not-found-words.ts'
import { PageTitle } from './page-title.tsx'

export function NotFound() {
  const words = notFoundWords()
  return (
    <main className="page narrow">
      <PageTitle>{words.title}</PageTitle>
      <h1>{words.title}</h1>
      <p>
        {words.note} <a href="/">{words.toChats}</a>
      </p>
    </main>
  )
}
