import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { BackCloses } from './back-closes.tsx'
import { menuWords } from './menu-words.ts'
import { Sidebar, type SidebarProps } from './sidebar.tsx'

/** The sidebar on narrow screens. */
export default function Drawer({ onClose, ...sidebar }: SidebarProps & { onClose(): void }) {
  const began = useRef(location.pathname)
  // A link in it leads to another page, or to a chat, whose composer may have the focus; else its opener gets it back.
  const finalFocus = () =>
    location.pathname === began.current ||
    (document.querySelector<HTMLElement>('.page h1') ?? document.activeElement === document.body)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <BackCloses onClose={onClose} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer" aria-label={frameWords().menu} finalFocus={finalFocus}>
          <Sidebar {...sidebar} />
          <Dialog.Close className="plain drawer-close" aria-label={menuWords().closeMenu}>
            <Icon name="close" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
