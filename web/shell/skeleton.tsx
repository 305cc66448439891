import { frameWords } from '../base/frame-words.ts'
/** A placeholder in the shape of what is loading. */
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

/** A placeholder for a whole page. */
export function LoadingPage() {
  return (
    <main className="page">
      <Skeleton />
    </main>
  )
}
