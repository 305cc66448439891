import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Menu } from '@base-ui/react/menu'
import type { RefObject } from 'react'
import { Icon } from '../icons.tsx'

/** What can be done with a conversation, and whether it shall really go. */
export default function ConversationMenu({
  anchor,
  name,
  step,
  onCloseMenu,
  onKeep,
  onRename,
  onAskDelete,
  onDelete,
}: {
  anchor: RefObject<HTMLElement | null>
  name: string
  step: 'menu' | 'delete'
  onCloseMenu(): void
  onKeep(): void
  onRename(): void
  onAskDelete(): void
  onDelete(): void
}) {
  if (step === 'delete') {
    return (
      <AlertDialog.Root open onOpenChange={(isOpen) => isOpen || onKeep()}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className="backdrop" />
          <AlertDialog.Popup className="dialog" finalFocus={anchor}>
            <AlertDialog.Title>Delete this conversation?</AlertDialog.Title>
            <AlertDialog.Description>
              “{name}” and everything said in it goes. What was sent stays sent.
            </AlertDialog.Description>
            <div className="actions">
              <AlertDialog.Close>Keep it</AlertDialog.Close>
              <button type="button" className="danger" onClick={onDelete}>
                Delete
              </button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    )
  }
  return (
    <Menu.Root open onOpenChange={(isOpen) => isOpen || onCloseMenu()}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align="end" sideOffset={4} className="menu-place">
          <Menu.Popup className="menu" finalFocus={anchor}>
            <Menu.Item onClick={onRename}>
              <Icon name="edit" />
              Rename
            </Menu.Item>
            <Menu.Item onClick={onAskDelete}>
              <Icon name="trash" />
              Delete
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
