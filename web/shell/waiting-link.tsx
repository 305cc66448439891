import { Link } from 'wouter'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { useOpenCount } from '../waiting/open-count.ts'

/** A link to the waiting items, with their number. */
export function WaitingLink({ isCurrent }: { isCurrent?: boolean }) {
  const count = useOpenCount()
  return (
    <Link href="/waiting" className="waiting-link" aria-current={isCurrent ? 'page' : undefined}>
      <Icon name="bell" />
      <span>{frameWords().waiting}</span>
      {count > 0 && <span className="count">{count}</span>}
    </Link>
  )
}
