import { useRef, useState } from 'react'
import type { AgentModel, ApiToken } from '../../../client/api-token.ts'
import { showDate } from '../../../client/locale.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'

/** The tokens that are there: what they open, when they were used, when they end. */
export function TokenList({
  tokens,
  agents,
  onRevoke,
}: {
  tokens: ApiToken[]
  agents: AgentModel[]
  onRevoke(token: ApiToken): void
}) {
  const [asked, setAsked] = useState<ApiToken>()
  const heading = useRef<HTMLHeadingElement>(null)
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return (
    <section aria-label="Tokens">
      <h2 ref={heading} tabIndex={-1}>
        Tokens
      </h2>
      {tokens.length === 0 && <p className="empty">No tokens yet. Create one for each app you use.</p>}
      <ul className="rows" hidden={tokens.length === 0}>
        {tokens.map((token) => (
          <li key={token.id} className="token">
            <div>
              <strong>{token.name}</strong> <code className="quiet small">{token.prefix}…</code>
              <p className="quiet small">
                {token.agents === null
                  ? 'All agents'
                  : token.agents.map((id) => names.get(id) ?? 'a deleted agent').join(', ')}
                {` · ${lastUse(token)} · `}
                <span className={isOver(token) ? 'problem' : ''}>{end(token)}</span>
              </p>
            </div>
            <button type="button" aria-label={`Revoke ${token.name}`} onClick={() => setAsked(token)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={`Revoke “${asked.name}”?`}
          action="Revoke"
          anchor={heading}
          onKeep={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            onRevoke(asked)
          }}
        >
          Anything that uses it will be refused. This can’t be undone.
        </ConfirmDialog>
      )}
    </section>
  )
}

function isOver({ expiresAt }: ApiToken): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}

function end(token: ApiToken): string {
  if (token.expiresAt === null) return 'never expires'
  const date = showDate(token.expiresAt, 'day')
  return isOver(token) ? `expired on ${date}` : `expires on ${date}`
}

function lastUse({ lastUsedAt }: ApiToken): string {
  if (lastUsedAt === null) return 'never used'
  return `last used ${showDate(lastUsedAt, 'moment')}`
}
