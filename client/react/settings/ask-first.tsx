import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'

/** Asks before something is deleted for good. */
export function AskFirst({
  title,
  action,
  children,
  onConfirm,
  onKeep,
}: {
  title: string
  /** The label of the confirming button. */
  action: string
  children: ReactNode
  onConfirm(): void
  onKeep(): void
}) {
  const words = useIntegrationLabels()
  const titleId = useId()
  const wordsId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser gives the focus back to the button that opened it.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="askback-dialog"
      aria-labelledby={titleId}
      aria-describedby={wordsId}
      onCancel={(event) => {
        event.preventDefault()
        onKeep()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      <div id={wordsId}>{children}</div>
      <div className="askback-actions">
        <button type="button" onClick={onKeep}>
          {words.keepIt}
        </button>
        <button type="button" className="askback-danger" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  )
}
