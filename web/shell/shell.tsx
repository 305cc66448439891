import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../icons.tsx'
import { Sidebar } from './sidebar.tsx'

// The parts of the drawer, of menus and of dialogs are loaded with the first one.
const Drawer = lazy(() => import('./drawer.tsx'))
const narrow = window.matchMedia('(max-width: 767px)')

/** The frame of every page: the sidebar beside it, or in a drawer on phones. */
export function Shell({ children }: { children: ReactNode }) {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  const [isOpen, setOpen] = useState(false)
  const [path] = useLocation()
  useEffect(() => {
    const follow = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  useEffect(() => setOpen(false), [path])

  if (!isNarrow) {
    return (
      <div className="shell">
        <aside className="sidebar">
          <Sidebar />
        </aside>
        {children}
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
      </header>
      {children}
    </div>
  )
}
