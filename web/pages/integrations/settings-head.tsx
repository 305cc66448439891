import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'

const parts = [
  { name: 'Accounts and keys', path: '/settings/integrations' },
  { name: 'OpenAI clients', path: '/settings/integrations/openai-clients' },
]

/** The head of both pages of the integrations: what agents use, and what uses agents. */
export function SettingsHead({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <header className="settings-head">
      <h1>Integrations</h1>
      <nav aria-label="Integrations" className="tabs">
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
