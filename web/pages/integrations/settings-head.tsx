import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { integrationsWords } from './words.ts'

/** The heading of the integration pages: what agents use, what uses agents, and what they do without asking. */
export function SettingsHead({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const words = integrationsWords()
  const parts = [
    { name: words.accounts, path: '/settings/integrations' },
    { name: words.servers, path: '/settings/integrations/servers' },
    { name: words.clients, path: '/settings/integrations/openai-clients' },
    { name: words.apps, path: '/settings/integrations/connected-apps' },
    { name: words.unasked, path: '/settings/integrations/without-asking' },
  ]
  return (
    <header className="settings-head">
      <h1>{words.title}</h1>
      <nav aria-label={words.title} className="tabs">
        {parts.map(({ name, path: target }) => (
          <Link
            key={target}
            href={target}
            className="button"
            aria-current={path === target ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <p className="quiet">{children}</p>
    </header>
  )
}
