import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Labels } from '../labels/en.ts'
import { firstEnglish } from '../labels/en-first.ts'
import { readersLocale } from '../locale.ts'

const Given = createContext<Partial<Labels>>({ locale: readersLocale(firstEnglish.locale) })

/**
 * Puts an app's words, or another language's, in the place of the English ones below it.
 *
 * @example
 * <LabelsProvider labels={german}>…</LabelsProvider>
 * <LabelsProvider labels={{ deny: 'Reject' }}>…</LabelsProvider>
 */
export function LabelsProvider({ labels, children }: { labels: Partial<Labels>; children: ReactNode }) {
  const given = useMemo(
    () => ({ ...labels, locale: readersLocale(labels.locale ?? firstEnglish.locale) }),
    // Most apps write this object where they use it; functions of one label do not change.
    [JSON.stringify(labels)],
  )
  return <Given.Provider value={given}>{children}</Given.Provider>
}

/**
 * Makes the hook that reads labels: those of the nearest provider, and the English ones where it has none. Its `locale`
 * is the one that their reader writes dates and numbers in.
 */
export function labelsBeside<Some extends Partial<Labels>>(english: Some): () => Some {
  /** Complete, by what was given: made once for all pieces. */
  const complete = new WeakMap<Partial<Labels>, Some>()
  return function useLabels() {
    const given = useContext(Given)
    const known = complete.get(given)
    if (known) return known
    const labels = { ...english, ...given }
    complete.set(given, labels)
    return labels
  }
}

/** The words that a page needs from its beginning. */
export const useFirstLabels = labelsBeside(firstEnglish)
