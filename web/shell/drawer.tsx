import { Dialog } from '@base-ui/react/dialog'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { BackCloses } from './back-closes.tsx'
import { menuWords } from './menu-words.ts'
import { Sidebar, type SidebarProps } from './sidebar.tsx'

/** The sidebar on narrow screens. */
export default function Drawer({ onClose, ...sidebar }: SidebarProps & { onClose(): void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <BackCloses onClose={onClose} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer" aria-label={frameWords().menu}>
          <Sidebar {...sidebar} />
          <Dialog.Close className="plain drawer-close" aria-label={menuWords().closeMenu}>
            <Icon name="close" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
