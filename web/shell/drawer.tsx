import { Dialog } from '@base-ui/react/dialog'
import { Icon } from '../icons.tsx'
import { Sidebar } from './sidebar.tsx'

/** The sidebar where there is no room beside the page. */
export default function Drawer({ onClose }: { onClose(): void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer" aria-label="Menu">
          <Sidebar />
          <Dialog.Close className="plain drawer-close" aria-label="Close menu">
            <Icon name="close" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
