import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../icons.tsx'
import { useNewChat } from './new-chat.ts'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'

// The parts of the drawer, of menus and of dialogs are loaded with the first one.
const Drawer = lazy(() => import('./drawer.tsx'))
const ShortcutList = lazy(() => import('./shortcut-list.tsx'))
const narrow = window.matchMedia('(max-width: 767px)')

/** The frame of every page: the sidebar beside it, or in a drawer on phones. */
export function Shell({ children }: { children: ReactNode }) {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  const [isOpen, setOpen] = useState(false)
  const [isListing, setListing] = useState(false)
  const begin = useNewChat()
  useShortcuts({ begin, showList: () => setListing(true) })
  const [path] = useLocation()
  useEffect(() => {
    const follow = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  useEffect(() => setOpen(false), [path])

  const list = isListing && (
    <Suspense>
      <ShortcutList onClose={() => setListing(false)} />
    </Suspense>
  )
  if (!isNarrow) {
    return (
      <div className="shell">
        <aside className="sidebar">
          <Sidebar onShortcuts={() => setListing(true)} />
        </aside>
        {children}
        {list}
      </div>
    )
  }
  return (
    <div className="shell narrow">
      <header className="topbar">
        <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setOpen(true)}>
          <Icon name="menu" />
          <span className="hidden">Menu</span>
        </button>
        {isOpen && (
          <Suspense>
            <Drawer onClose={() => setOpen(false)} />
          </Suspense>
        )}
        <span className="brand">Askback</span>
        <span className="spacer" />
        <button type="button" className="plain" onClick={begin}>
          <Icon name="plus" />
          <span className="hidden">New chat</span>
        </button>
      </header>
      {children}
      {list}
    </div>
  )
}
