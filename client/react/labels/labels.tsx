import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { readersLocale } from '../../../shared/words/locale.ts'
import { firstEnglish } from '../../labels/en-first.ts'
import type { AllLabels } from '../../labels/en-integrations.ts'
import { speak } from '../../spoken-language.ts'

const usual = readersLocale(firstEnglish.locale)
speak(usual)
const Given = createContext<Partial<AllLabels>>({ locale: usual })

/**
 * Replaces the English labels below it with the app's own, or with another language.
 *
 * @example
 * <LabelsProvider labels={german}>…</LabelsProvider>
 * <LabelsProvider labels={{ deny: 'Reject' }}>…</LabelsProvider>
 */
export function LabelsProvider({ labels, children }: { labels: Partial<AllLabels>; children: ReactNode }) {
  const given = useMemo(
    () => {
      const locale = readersLocale(labels.locale ?? firstEnglish.locale)
      // Before the pieces below it ask the server for anything.
      speak(locale)
      return { ...labels, locale }
    },
    // Most apps create this object inline; the function of a given label does not change.
    [JSON.stringify(labels)],
  )
  return <Given.Provider value={given}>{children}</Given.Provider>
}

/**
 * Creates a hook that returns the labels of the nearest provider, or else the English ones. Its `locale` is the one for
 * the reader's dates and numbers.
 */
export function labelsBeside<Some extends Partial<AllLabels>>(english: Some): () => Some {
  /** Completed labels by their input, created once for all components. */
  const complete = new WeakMap<Partial<AllLabels>, Some>()
  return function useLabels() {
    const given = useContext(Given)
    const known = complete.get(given)
    if (known) return known
    const labels = { ...english, ...given }
    complete.set(given, labels)
    return labels
  }
}

/** The labels that a page needs from the start. */
export const useFirstLabels = labelsBeside(firstEnglish)
