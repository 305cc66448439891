import { createContext, useContext } from 'react'

/** Shows a sentence about what didn't work. */
export const Tell = createContext<(sentence: string) => void>(() => {})

export function useTell(): (sentence: string) => void {
  return useContext(Tell)
}
