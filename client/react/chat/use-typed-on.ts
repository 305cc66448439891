import { type RefObject, useEffect } from 'react'
import { focusComposer } from './composer-field.ts'

/** After a decision, its receipt has the focus but takes no text: what is typed there goes on as a message. */
export function useTypedOn(chat: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = chat.current
    const hear = (event: KeyboardEvent) => {
      if (isText(event) && (event.target as Element).matches('.askback-receipt')) focusComposer(place)
    }
    place?.addEventListener('keydown', hear)
    return () => place?.removeEventListener('keydown', hear)
  }, [chat])
}

function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
