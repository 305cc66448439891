import { useOpenCount } from '../waiting/open-count.ts'

/** The title of the tab: how much waits for the user, then the page. */
export function PageTitle({ children }: { children?: string | undefined }) {
  const count = useOpenCount()
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children ? `${children} · ` : ''}Askback`}</title>
}
