import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon, type IconName, Logo } from '../icons.tsx'
import { useSession } from '../session.tsx'
import { Conversations } from './conversations.tsx'
import { useNewChat } from './new-chat.ts'
import { applyTheme, readTheme, type Theme } from './theme.ts'
import { useToast } from './toasts.tsx'
import { WaitingLink } from './waiting-link.tsx'

const pages: { name: string; path: string; icon: IconName; isLocal?: true }[] = [
  { name: 'Chat', path: '/', icon: 'chat' },
  { name: 'Integrations', path: '/settings/integrations', icon: 'integrations' },
  { name: 'Agents', path: '/agents', icon: 'agents' },
  { name: 'Insights', path: '/insights', icon: 'insights' },
  { name: 'Inbox', path: '/inbox', icon: 'inbox', isLocal: true },
]

/** Where one can go, the conversations, and who is signed in. */
export function Sidebar({ onShortcuts }: { onShortcuts?: () => void }) {
  const { config, session, signOut } = useSession()
  const toast = useToast()
  const [path] = useLocation()
  const begin = useNewChat()
  const isCurrent = (page: string) =>
    page === '/' ? path === '/' || path.startsWith('/chat/') : path.startsWith(page)
  return (
    <>
      <div className="sidebar-top">
        <span className="brand">
          <Logo />
          Askback
        </span>
      </div>
      <button type="button" className="new-chat" onClick={begin}>
        <Icon name="plus" />
        New chat
      </button>
      <nav aria-label="Pages" className="pages">
        <WaitingLink isCurrent={path === '/waiting'} />
        {pages
          .filter(({ isLocal }) => !isLocal || config.local)
          .map(({ name, path: target, icon }) => (
            <Link key={target} href={target} aria-current={isCurrent(target) ? 'page' : undefined}>
              <Icon name={icon} />
              {name}
            </Link>
          ))}
      </nav>
      <Conversations />
      <div className="sidebar-end">
        <Link
          href="/settings/account"
          className="who"
          title="Your account"
          aria-current={path === '/settings/account' ? 'page' : undefined}
        >
          <span className="hidden">Account </span>
          {session?.user.email}
        </Link>
        {onShortcuts && (
          <button type="button" className="plain" title="Keyboard shortcuts" onClick={onShortcuts}>
            <Icon name="keyboard" />
            <span className="hidden">Keyboard shortcuts</span>
          </button>
        )}
        <ThemeChoice />
        <button
          type="button"
          className="plain"
          title="Sign out"
          onClick={() => void signOut().catch(() => toast('Couldn’t sign you out. Try again.', 'failed'))}
        >
          <Icon name="signOut" />
          <span className="hidden">Sign out</span>
        </button>
      </div>
    </>
  )
}

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <button
      type="button"
      className="plain"
      title={`Theme: ${theme}`}
      onClick={() => {
        applyTheme(nextTheme[theme])
        setTheme(nextTheme[theme])
      }}
    >
      <Icon name="theme" />
      <span className="hidden">Theme: {theme}</span>
    </button>
  )
}
