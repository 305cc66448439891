/** Tells the user what was done, or that it failed: the app shows it where it shows such sentences. */
export type ShowNote = (sentence: string, kind: 'done' | 'failed') => void
