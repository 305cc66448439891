import type { KeyboardEvent } from 'react'

/** Whether a key belongs to a word that is being composed, as in Japanese. Safari says so only by the code of the key. */
export function isComposing({ keyCode, nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}
