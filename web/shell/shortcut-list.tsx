import { Dialog } from '@base-ui/react/dialog'
import { Icon } from '../icons.tsx'
import { shortcuts } from './shortcuts.ts'

/** What the keyboard can do. */
export default function ShortcutList({ onClose }: { onClose(): void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>Keyboard shortcuts</Dialog.Title>
          <dl className="shortcuts">
            {shortcuts.map(({ keys, does }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Dialog.Close className="plain drawer-close" aria-label="Close">
            <Icon name="close" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
