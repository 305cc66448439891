import { type RefObject, useEffect, useRef } from 'react'

/** Leads somebody who opens a form with a key to its first field. Call what it returns with the click that opens it. */
export function useFirstField(
  isOpen: boolean,
  form: RefObject<HTMLElement | null>,
): (click: { detail: number }) => void {
  const byKeyboard = useRef(false)
  useEffect(() => {
    if (isOpen && byKeyboard.current) form.current?.querySelector<HTMLElement>('input, select')?.focus()
    byKeyboard.current = false
  }, [isOpen, form])
  return ({ detail }) => {
    // A key press has no click count.
    byKeyboard.current = detail === 0
  }
}
