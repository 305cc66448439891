import { useRef, useState } from 'react'
import type { AgentModel, ApiToken } from '../../../client/api/api-token.ts'
import { showDate, showList } from '../../base/locale.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { tokensWords } from './words.ts'

/** Existing tokens: what they are for, their agents, when they were last used and when they expire. */
export function TokenList({
  tokens,
  agents,
  onRevoke,
}: {
  tokens: ApiToken[]
  agents: AgentModel[]
  onRevoke(token: ApiToken): void
}) {
  const words = tokensWords()
  const [asked, setAsked] = useState<ApiToken>()
  const heading = useRef<HTMLHeadingElement>(null)
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return (
    <section aria-label={words.list}>
      <h2 ref={heading} tabIndex={-1}>
        {words.list}
      </h2>
      {tokens.length === 0 && <p className="empty">{words.none}</p>}
      <ul className="rows" hidden={tokens.length === 0}>
        {tokens.map((token) => (
          <li key={token.id} className="token">
            <div>
              <strong dir="auto">{token.name}</strong> <code className="quiet small">{token.prefix}…</code>
              <p className="quiet small">
                {token.scope === 'mcp' && `${words.forMcp} · `}
                {token.agents === null
                  ? words.allAgents
                  : showList(token.agents.map((id) => names.get(id) ?? words.deletedAgent))}
                {` · ${lastUse(token)} · `}
                <span className={isOver(token) ? 'problem' : ''}>{end(token)}</span>
              </p>
            </div>
            <button type="button" aria-label={words.revokeThis(token.name)} onClick={() => setAsked(token)}>
              {words.revoke}
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={words.revokeQuestion(asked.name)}
          action={words.revoke}
          anchor={heading}
          onKeep={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            onRevoke(asked)
          }}
        >
          {words.revokeNote}
        </ConfirmDialog>
      )}
    </section>
  )
}

function isOver({ expiresAt }: ApiToken): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}

function end(token: ApiToken): string {
  if (token.expiresAt === null) return tokensWords().neverExpires
  const date = showDate(token.expiresAt, 'day')
  return isOver(token) ? tokensWords().expiredOn(date) : tokensWords().expiresOn(date)
}

function lastUse({ lastUsedAt }: ApiToken): string {
  if (lastUsedAt === null) return tokensWords().neverUsed
  return tokensWords().lastUsed(showDate(lastUsedAt, 'moment'))
}
