import { createContext, useContext } from 'react'
import { useLabels } from '../labels/use-labels.ts'

/** The app's page with `<WithoutAsking>`; without it, nothing leads there. */
export const WithoutAskingHref = createContext<string | undefined>(undefined)

/** Leads to all that happens without asking. */
export function WithoutAskingLink() {
  const href = useContext(WithoutAskingHref)
  const labels = useLabels()
  return href === undefined ? null : <a href={href}>{labels.withoutAsking}</a>
}

/** The receipt of a write that nobody was asked about: it leads to where that can be changed, if the app has such a page. */
export function UnaskedReceipt({ call }: { call: { unasked?: true; past?: string } | undefined }) {
  const href = useContext(WithoutAskingHref)
  const labels = useLabels()
  if (!call?.unasked) return null
  const words = labels.doneUnasked(call.past)
  return <p className="askback-receipt">{href === undefined ? words : <a href={href}>{words}</a>}</p>
}
