import { Menu } from '@base-ui/react/menu'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ConversationSummary } from '../../client/api/message.ts'
import type { ConversationChange } from '../../client/askback.ts'
import { readConversations } from '../../client/conversation-pages.ts'
import { downloadIcon, editIcon, pinIcon, trashIcon } from '../../client/react/icons/later-icons.ts'
import { useLabels } from '../../client/react/labels/use-labels.ts'
import { useConversationsChanged } from '../base/conversation-pages.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { frameWords } from '../base/frame-words.ts'
import { Drawing, Icon } from '../base/icons.tsx'
import { useSession } from '../base/session.tsx'
import { BackCloses } from './back-closes.tsx'
import { DeleteConversation } from './delete-conversation.tsx'
import { exportConversation } from './export-conversation.ts'
import { menuWords } from './menu-words.ts'
import { places } from './shortcuts.ts'
import { useToast } from './toasts.tsx'

/** The actions for a conversation, or for all calls of an app and day; deleting asks for confirmation. */
export default function ConversationMenu({
  anchor,
  conversation: { id, title, pinned, archived, calls },
  step,
  onCloseMenu,
  onRename,
  onDelete,
}: {
  anchor: RefObject<HTMLElement | null>
  conversation: ConversationSummary
  step: 'menu' | 'delete'
  onCloseMenu(): void
  onRename(): void
  /** Opens or closes the question whether to delete it. */
  onDelete(isAsked: boolean): void
}) {
  const labels = useLabels()
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const words = menuWords()
  const [path, navigate] = useLocation()
  const first = useRef<HTMLElement>(null)
  const [byKeyboard] = useState(() => anchor.current?.matches(':focus-visible'))

  /** Runs an action; the focus then moves to the conversation's new row, or to the search. */
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work()
      if (done) toast(done)
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
    await changed()
    // Wait until the list has rendered.
    await new Promise((drawn) => setTimeout(drawn))
    if (document.activeElement !== document.body) return
    const place = document.getElementById(`options-${id}`) ?? document.getElementById(places.search)
    place?.focus({ preventScroll: true })
  }
  const standsFor = calls?.count ?? 1
  /** Of a row that stands for several, all of them. */
  const each = async (work: (one: string) => Promise<unknown>) => {
    if (standsFor === 1) return await work(id)
    const listed = await readConversations(askback, { callsOf: id }, standsFor)
    for (const one of listed.conversations) {
      if (!one.pinned && one.archived === archived) await work(one.id)
    }
  }
  const change = (what: ConversationChange, done?: string) =>
    act(() => each((one) => askback.conversations.change(one, what)), done)
  const remove = () => {
    onDelete(false)
    return act(async () => {
      await each(async (one) => {
        await askback.conversations.delete(one)
        if (path === `/chat/${one}`) navigate('/')
      })
    }, words.deleted)
  }
  const save = () =>
    exportConversation(askback, id, labels).catch((error: Error) => toast(failureSentence(error), 'failed'))

  if (step === 'delete') {
    return (
      <DeleteConversation
        title={title ?? frameWords().untitled}
        anchor={anchor}
        onConfirm={() => void remove()}
        onKeep={() => onDelete(false)}
      />
    )
  }
  return (
    <Menu.Root
      open
      onOpenChange={(isOpen) => isOpen || onCloseMenu()}
      // No earlier: the arrow keys would not go on from it.
      onOpenChangeComplete={() => byKeyboard && first.current?.focus()}
    >
      <BackCloses onClose={onCloseMenu} />
      {/* Inside the landmark or drawer it belongs to. */}
      <Menu.Portal container={anchor.current?.closest<HTMLElement>('aside, [role=dialog]') ?? document.body}>
        <Menu.Positioner anchor={anchor} align="end" sideOffset={4} className="menu-place">
          <Menu.Popup className="menu" aria-label={frameWords().options} finalFocus={anchor}>
            {standsFor === 1 && (
              <>
                <Menu.Item ref={first} onClick={() => void change({ pinned: !pinned })}>
                  <Drawing lines={pinIcon} />
                  {pinned ? words.unpin : words.pin}
                </Menu.Item>
                <Menu.Item onClick={onRename}>
                  <Drawing lines={editIcon} />
                  {words.rename}
                </Menu.Item>
                <Menu.Item onClick={() => void save()}>
                  <Drawing lines={downloadIcon} />
                  {words.export}
                </Menu.Item>
              </>
            )}
            <Menu.Item
              ref={standsFor === 1 ? undefined : first}
              onClick={() => void change({ archived: !archived }, archived ? words.restored : words.archived)}
            >
              <Icon name="archive" />
              {archived ? words.restore : words.archive}
            </Menu.Item>
            <Menu.Item onClick={() => onDelete(true)}>
              <Drawing lines={trashIcon} />
              {words.delete}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
