import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { frameWords } from '../base/frame-words.ts'
import { Icon, Logo } from '../base/icons.tsx'
import { useFolded } from '../base/use-folded.ts'
import { useWatchedCount } from '../waiting/open-count.ts'
import { useNewChat } from './new-chat.ts'
import { focusHeading } from './page-focus.ts'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { WaitingLink } from './waiting-link.tsx'

// The drawer, menus and dialogs are loaded with the first one.
const Drawer = lazy(() => import('./drawer.tsx'))
const ShortcutList = lazy(() => import('./shortcut-list.tsx'))

/** The frame of every page, with the sidebar beside it, or in a drawer on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const isFolded = useFolded()
  const [isOpen, setOpen] = useState(false)
  const [isListing, setListing] = useState(false)
  // Here because the drawer closes when a result is opened, and it may not be the one.
  const search = useState('')
  const [, setSearch] = search
  const newChat = useNewChat()
  const begin = () => {
    // The new conversation would not be among the results.
    setSearch('')
    newChat()
  }
  useWatchedCount()
  useShortcuts({ begin, showList: () => setListing(true) })
  const words = frameWords()
  const [path] = useLocation()
  useEffect(() => setOpen(false), [path, isFolded])

  return (
    <div className={isFolded ? 'shell folded' : 'shell'}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page, which has no address */}
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          focusHeading('#content h1')
        }}
      >
        {words.skip}
      </a>
      {isFolded ? (
        <header className="topbar">
          <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setOpen(true)}>
            <Icon name="menu" />
            <span className="hidden">{words.menu}</span>
          </button>
          {isOpen && (
            // Until it is loaded, no tap reaches the page below it.
            <Suspense fallback={<div className="backdrop" />}>
              <Drawer search={search} begin={begin} onClose={() => setOpen(false)} />
            </Suspense>
          )}
          <span className="brand">
            <Logo />
            Askback
          </span>
          <span className="spacer" />
          <WaitingLink />
          <button type="button" className="plain" onClick={begin}>
            <Icon name="plus" />
            <span className="hidden">{words.newChat}</span>
          </button>
        </header>
      ) : (
        <aside className="sidebar" aria-label={words.menu}>
          <Sidebar search={search} begin={begin} onShortcuts={() => setListing(true)} />
        </aside>
      )}
      <div id="content" className="content">
        {children}
      </div>
      {isListing && (
        <Suspense>
          <ShortcutList onClose={() => setListing(false)} />
        </Suspense>
      )}
    </div>
  )
}
