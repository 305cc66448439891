import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode, RefObject } from 'react'
import { BackCloses } from './back-closes.tsx'
import { menuWords } from './menu-words.ts'

/** Asks before something is deleted for good. Loaded with the page that needs it. */
export function ConfirmDialog({
  title,
  action,
  anchor,
  children,
  onConfirm,
  onKeep,
}: {
  title: string
  /** The label of the confirming button. */
  action: string
  /** Gets the focus afterwards. */
  anchor?: RefObject<HTMLElement | null>
  children: ReactNode
  onConfirm(): void
  onKeep(): void
}) {
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => isOpen || onKeep()}>
      <BackCloses onClose={onKeep} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog" {...(anchor ? { finalFocus: anchor } : {})}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Close>{menuWords().keep}</AlertDialog.Close>
            <button type="button" className="danger" onClick={onConfirm}>
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
