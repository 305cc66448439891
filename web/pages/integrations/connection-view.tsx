import { useState } from 'react'
import type { Connection, Provider } from '../../../client/connection.ts'
import { showValue, withoutMark } from '../../../client/sentence.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'

const statusWords: Record<Connection['status'], string> = {
  connected: 'Works',
  expiring: 'Needs a new sign-in soon',
  expired: 'Needs a new sign-in',
  failed: 'Does not work',
  disabled: 'Switched off',
}

/** One account: how it stands, and what can be done with it. */
export function ConnectionView({
  provider,
  connection,
  stops,
  onReconnect,
  onChange,
}: {
  provider: Provider
  connection: Connection
  /** Titles of the tools that stop working without it. */
  stops: string[]
  /** Signs in anew, to allow these tools as well. */
  onReconnect: ((tools?: string[]) => void) | undefined
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const { id, account, label, status, values, lastUsedAt, lastError, unavailable = [] } = connection
  const name = account ?? label ?? provider.name
  const settings = Object.entries(values).filter(([, value]) => value !== null && value !== '')

  const perform = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
    await onChange()
    setBusy(false)
  }
  const test = () =>
    perform(async () => {
      const result = await askback.connections.test(id)
      if (result.ok) toast(`${provider.name} works.`)
      else toast(withoutMark(result.error ?? `${provider.name} does not work.`), 'failed')
    })
  const remove = () =>
    perform(async () => {
      const { lost = [], revoked } = await askback.connections.delete(id)
      const losses = lost.map(
        (agent) => `${agent.name} can no longer use ${agent.tools.length} of its tools.`,
      )
      const rest = revoked === false ? [`Remove the app in your ${provider.name} account, too.`] : []
      toast(['Disconnected.', ...losses, ...rest].join(' '))
    })

  return (
    <article className="connection" aria-label={name}>
      <div className="provider-head">
        <div>
          <strong>{name}</strong> <span className="quiet small">{label && label !== name ? label : ''}</span>
          <p className="status" data-status={status}>
            {statusWords[status]}
            <span className="quiet">
              {lastUsedAt && ` · last used ${new Date(lastUsedAt).toLocaleString()}`}
            </span>
          </p>
        </div>
        <div className="actions">
          <button type="button" disabled={isBusy} onClick={() => void test()}>
            Test
          </button>
          {onReconnect && (
            <button type="button" disabled={isBusy} onClick={() => onReconnect()}>
              Reconnect
            </button>
          )}
          <button type="button" disabled={isBusy} onClick={() => void remove()}>
            Disconnect
          </button>
        </div>
      </div>
      {lastError && <p className="problem">{withoutMark(lastError)}</p>}
      {stops.length > 0 && <p className="quiet small">Used for: {stops.join(', ')}</p>}
      {(settings.length > 0 || unavailable.length > 0) && (
        <details>
          <summary className="quiet small">Details</summary>
          <dl className="facts">
            {settings.map(([key, value]) => (
              <div key={key}>
                <dt>{provider.connection.properties?.[key]?.title ?? key}</dt>
                <dd>{showValue(value)}</dd>
              </div>
            ))}
          </dl>
          <ul>
            {unavailable.map(({ tool, reason }) => (
              <li key={tool}>
                {reason}{' '}
                {onReconnect && (
                  <button type="button" onClick={() => onReconnect([tool])}>
                    Allow
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  )
}
