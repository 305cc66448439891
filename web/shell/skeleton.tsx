import { frameWords } from './words.ts'
/** What stands in the place of something that is loading, in its shape. */
export function Skeleton({ kind = 'blocks' }: { kind?: 'blocks' | 'tiles' | 'messages' }) {
  return (
    <div role="status" className="skeleton" data-kind={kind}>
      <span className="hidden">{frameWords().loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

/** The same for a whole page. */
export function LoadingPage() {
  return (
    <main className="page">
      <Skeleton />
    </main>
  )
}
