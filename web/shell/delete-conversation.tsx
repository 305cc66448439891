import type { RefObject } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { menuWords } from './menu-words.ts'

/** Asks before a conversation is deleted for good. */
export function DeleteConversation({
  title,
  anchor,
  onConfirm,
  onKeep,
}: {
  title: string
  /** Gets the focus afterwards. */
  anchor: RefObject<HTMLElement | null>
  onConfirm(): void
  onKeep(): void
}) {
  const words = menuWords()
  return (
    <ConfirmDialog
      title={words.deleteQuestion}
      action={words.delete}
      anchor={anchor}
      onKeep={onKeep}
      onConfirm={onConfirm}
    >
      {words.deleteNote(title)}
    </ConfirmDialog>
  )
}
