import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { useFocusBack } from '../../client/react/interaction/use-focus-back.ts'
import {
  type ConversationRowProps,
  ConversationRow as PlainRow,
} from '../../client/react/lists/conversation-row.tsx'
import { useConversationsChanged } from '../base/conversation-pages.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { useSession } from '../base/session.tsx'
import { useToast } from './toasts.tsx'

// Bundled with the menus: loaded with the first one.
const ConversationMenu = lazy(() => import('./conversation-menu.tsx'))

/** One conversation with its menu, or with the input for its new title. */
export function ConversationRow(row: ConversationRowProps) {
  const { conversation } = row
  const { id, title } = conversation
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const words = frameWords()
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const options = useRef<HTMLButtonElement>(null)
  const titleId = useId()

  useFocusBack(isRenaming, options)

  const rename = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('title')).trim()
    setRenaming(false)
    if (next === '' || next === title) return
    await askback.conversations
      .change(id, { title: next })
      .catch((error) => toast(failureSentence(error), 'failed'))
    void changed()
  }
  if (isRenaming) {
    return (
      <li>
        <form onSubmit={rename} className="rename">
          <input
            name="title"
            aria-label={words.title}
            dir="auto"
            defaultValue={title ?? words.untitled}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: the user has just chosen to rename it
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            onBlur={(event) => event.currentTarget.form?.requestSubmit()}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              // Must not stop the answer as well.
              event.preventDefault()
              setRenaming(false)
            }}
          />
        </form>
      </li>
    )
  }
  const menu = (
    <>
      <button
        ref={options}
        id={`options-${id}`}
        type="button"
        className="plain"
        // Reached with the arrow keys.
        tabIndex={-1}
        aria-label={words.options}
        aria-labelledby={`options-${id} ${titleId}`}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={() => setMenuOpen(true)}
      >
        <Icon name="more" />
      </button>
      {(isMenuOpen || isDeleting) && (
        <Suspense>
          <ConversationMenu
            anchor={options}
            conversation={conversation}
            step={isDeleting ? 'delete' : 'menu'}
            onCloseMenu={() => setMenuOpen(false)}
            onRename={() => setRenaming(true)}
            onDelete={setDeleting}
          />
        </Suspense>
      )}
    </>
  )
  return <PlainRow {...row} titleId={titleId} menu={menu} />
}
