import { frameWords } from '../base/frame-words.ts'
import { PageTitle } from './page-title.tsx'

export function NotFound() {
  const words = frameWords()
  return (
    <main className="page narrow">
      <PageTitle>{words.notFound}</PageTitle>
      <h1>{words.notFound}</h1>
      <p>
        {words.notFoundNote} <a href="/">{words.toChats}</a>
      </p>
    </main>
  )
}
