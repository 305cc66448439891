import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { english, type Labels } from '../labels/en.ts'
import { readersLocale } from '../locale.ts'

const Given = createContext<Labels>(english)

/**
 * Puts an app's words, or another language's, in the place of the English ones below it.
 *
 * @example
 * <LabelsProvider labels={german}>…</LabelsProvider>
 * <LabelsProvider labels={{ deny: 'Reject' }}>…</LabelsProvider>
 */
export function LabelsProvider({ labels, children }: { labels: Partial<Labels>; children: ReactNode }) {
  const given = useMemo(() => {
    const all = { ...english, ...labels }
    return { ...all, locale: readersLocale(all.locale) }
    // Most apps write this object where they use it; functions of one label do not change.
  }, [JSON.stringify(labels)])
  return <Given.Provider value={given}>{children}</Given.Provider>
}

/** The words below the nearest provider, and the locale that their reader writes dates and numbers in. */
export function useLabels(): Labels {
  return useContext(Given)
}
