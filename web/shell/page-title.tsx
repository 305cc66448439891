import { useOpenCount } from '../waiting/open-count.ts'

/** The tab title: the number of waiting items, then the page. */
export function PageTitle({ children }: { children?: string | null | undefined }) {
  const count = useOpenCount()
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children ? `${children} · ` : ''}Askback`}</title>
}
