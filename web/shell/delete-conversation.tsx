import type { RefObject } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before a conversation goes for good. */
export function DeleteConversation({
  title,
  anchor,
  onConfirm,
  onKeep,
}: {
  title: string
  /** Where the keyboard goes on afterwards. */
  anchor: RefObject<HTMLElement | null>
  onConfirm(): void
  onKeep(): void
}) {
  return (
    <ConfirmDialog
      title="Delete this conversation?"
      action="Delete"
      anchor={anchor}
      onKeep={onKeep}
      onConfirm={onConfirm}
    >
      “{title}” and everything said in it will be deleted. What was sent stays sent.
    </ConfirmDialog>
  )
}
