import { Dialog } from '@base-ui/react/dialog'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { BackCloses } from './back-closes.tsx'
import { menuWords } from './menu-words.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const command = isMac ? '⌘' : 'Ctrl'

const shortcuts = [
  { keys: [command, 'Shift', 'O'], does: 'newChat' },
  { keys: [command, 'K'], does: 'search' },
  { keys: ['↑', '↓'], does: 'move' },
  { keys: ['Page Up', 'Page Down'], does: 'turn' },
  { keys: ['Enter'], does: 'send' },
  { keys: ['Shift', 'Enter'], does: 'newLine' },
  { keys: ['Esc'], does: 'stop' },
  { keys: [command, '/'], does: 'list' },
] as const

/** The list of keyboard shortcuts. */
export default function ShortcutList({ onClose }: { onClose(): void }) {
  const words = menuWords()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <BackCloses onClose={onClose} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{frameWords().shortcuts}</Dialog.Title>
          <dl className="shortcuts">
            {shortcuts.map(({ keys, does }) => (
              <div key={does}>
                <dt>{words.shortcuts[does]}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Dialog.Close className="plain drawer-close" aria-label={words.close}>
            <Icon name="close" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
