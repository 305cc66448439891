import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { frameWords } from '../base/frame-words.ts'
import { Icon, Logo } from '../base/icons.tsx'
import { useSession } from '../base/session.tsx'
import { Conversations, type SearchState } from './conversations.tsx'
import { applyTheme, otherTheme, readTheme } from './theme.ts'
import { useToast } from './toasts.tsx'
import { WaitingLink } from './waiting-link.tsx'

const pages: {
  name: 'chat' | 'integrations' | 'agents' | 'schedules' | 'insights' | 'inbox'
  path: string
}[] = [
  { name: 'chat', path: '/' },
  { name: 'integrations', path: '/settings/integrations' },
  { name: 'agents', path: '/agents' },
  { name: 'schedules', path: '/schedules' },
  { name: 'insights', path: '/insights' },
  { name: 'inbox', path: '/inbox' },
]

export interface SidebarProps {
  search: SearchState
  /** Begins a new chat. */
  begin(): void
  onShortcuts?: () => void
}

/** Navigation, the conversations, and the signed-in user. */
export function Sidebar({ search, begin, onShortcuts }: SidebarProps) {
  const { config, session, signOut } = useSession()
  // Anonymous users have neither.
  const name = session?.user.email || session?.user.phone
  const toast = useToast()
  const words = frameWords()
  const [path] = useLocation()
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
        {words.newChat}
      </button>
      <nav aria-label={words.pages} className="pages">
        <WaitingLink isCurrent={path === '/waiting'} />
        {pages
          .filter(({ name }) => name !== 'inbox' || config.local)
          .map(({ name, path: target }) => (
            <Link
              key={target}
              href={target}
              aria-current={isCurrent(target) ? 'page' : undefined}
              onClick={() => target === '/' && search[1]('')}
            >
              <Icon name={name} />
              {words[name]}
            </Link>
          ))}
      </nav>
      <Conversations search={search} />
      <div className="sidebar-end">
        <Link
          href="/settings/account"
          className="who"
          title={words.account}
          aria-label={name ? words.accountOf(name) : words.account}
          aria-current={path === '/settings/account' ? 'page' : undefined}
        >
          {name || words.account}
        </Link>
        {onShortcuts && (
          <button type="button" className="plain" title={words.shortcuts} onClick={onShortcuts}>
            <Icon name="keyboard" />
            <span className="hidden">{words.shortcuts}</span>
          </button>
        )}
        <ThemeChoice />
        <button
          type="button"
          className="plain"
          title={words.signOut}
          onClick={() => void signOut().catch(() => toast(words.notSignedOut, 'failed'))}
        >
          <Icon name="signOut" />
          <span className="hidden">{words.signOut}</span>
        </button>
      </div>
    </>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  const name = frameWords().themes[theme]
  return (
    <button
      type="button"
      className="plain"
      title={name}
      onClick={() => {
        const other = otherTheme(theme)
        applyTheme(other)
        setTheme(other)
      }}
    >
      <Icon name={theme} />
      <span className="hidden">{name}</span>
    </button>
  )
}
