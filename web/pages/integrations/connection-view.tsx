import { useRef, useState } from 'react'
import type { Connection, Provider } from '../../../client/connection.ts'
import { showDate } from '../../../client/locale.ts'
import { useWasKept } from '../../../client/react/use-kept.ts'
import { showValue, withoutMark } from '../../../client/sentence.ts'
import { useSession } from '../../session.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { useFocusBack } from '../../use-focus-back.ts'
import { ConnectForm, placeOfForm } from './connect-form.tsx'

/** One account: how it stands, and what can be done with it. */
export function ConnectionView({
  provider,
  connection,
  uses,
  stops,
  toolTitle,
  onReconnect,
  onChange,
}: {
  provider: Provider
  connection: Connection
  /** Titles of the tools that it makes work. */
  uses: string[]
  /** Titles of those that stop without it. */
  stops: string[]
  /** Of `tool` or `tool:action`. */
  toolTitle(name: string): string
  /** Signs in anew, to allow these tools as well; absent where there are fields to fill in. */
  onReconnect: ((tools?: string[]) => void) | undefined
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const [isChanging, setChanging] = useState(useWasKept(placeOfForm(provider.id, connection.id)))
  const [isLeaving, setLeaving] = useState(false)
  const heading = useRef<HTMLElement>(null)
  useFocusBack(isBusy || isChanging, heading)
  const {
    id,
    account,
    label,
    status,
    values,
    lastUsedAt,
    lastError,
    allowed = [],
    unavailable = [],
  } = connection
  const name = account ?? (label || provider.name)
  const settings = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  const isOff = status === 'disabled'
  const isBroken = status === 'failed' || status === 'expired'

  /** The outcome is told once all buttons work again: whoever reads it goes on at once. */
  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    const [words, kind] = await work().then(
      (done) => [done, 'done'] as const,
      (error: Error) => [error.message, 'failed'] as const,
    )
    await onChange()
    setBusy(false)
    toast(words, kind)
  }
  const test = () =>
    perform(async () => {
      const result = await askback.connections.test(id)
      if (result.ok) return `${provider.name} works.`
      throw new Error(withoutMark(result.error ?? `${provider.name} isn’t working.`))
    })
  const switchOver = () =>
    perform(async () => {
      await askback.connections.change(id, { disabled: !isOff })
      return isOff
        ? 'Switched on. Waiting work continues, or asks you first.'
        : 'Switched off. Your agents no longer use it.'
    })
  const remove = () =>
    perform(async () => {
      setLeaving(false)
      const { lost = [], revoked } = await askback.connections.delete(id)
      const losses = lost.map(
        (agent) =>
          `${agent.name} can no longer use ${agent.tools.length === 1 ? 'one of its tools' : `${agent.tools.length} of its tools`}.`,
      )
      const rest = revoked === false ? [`Also remove the app from your ${provider.name} account.`] : []
      return ['Disconnected.', ...losses, ...rest].join(' ')
    })

  return (
    <article ref={heading} tabIndex={-1} className="connection" aria-label={name}>
      <div className="provider-head">
        <div>
          <strong>{name}</strong> <span className="quiet small">{label && label !== name ? label : ''}</span>
          <p className="status" data-status={status}>
            {statusWords(connection)}
            <span className="quiet">
              {lastUsedAt ? `last used ${shortTime(lastUsedAt)}` : 'not used yet'}
            </span>
          </p>
        </div>
        <div className="actions">
          {isOff ? (
            <button type="button" disabled={isBusy} onClick={() => void switchOver()}>
              Switch on
            </button>
          ) : (
            <button type="button" disabled={isBusy} onClick={() => void test()}>
              Test
            </button>
          )}
          <button
            type="button"
            className={isBroken ? 'primary' : ''}
            disabled={isBusy}
            onClick={() => (onReconnect ? onReconnect() : setChanging(true))}
          >
            {onReconnect || isBroken ? 'Reconnect' : 'Change'}
          </button>
          <button type="button" disabled={isBusy} onClick={() => setLeaving(true)}>
            Disconnect
          </button>
        </div>
      </div>
      {lastError && <p className="problem">{withoutMark(lastError)}</p>}
      {isChanging && (
        <ConnectForm
          provider={provider}
          connection={connection}
          onFailed={() => void onChange()}
          onCancel={() => setChanging(false)}
          onConnected={async () => {
            setChanging(false)
            toast(`${provider.name} works.`)
            await onChange()
          }}
        />
      )}
      {allowed.length > 0 && <p className="quiet small">You allowed: {allowed.join('; ')}.</p>}
      {uses.length > 0 && <p className="quiet small">Used for: {uses.join(', ')}.</p>}
      {unavailable.length > 0 && (
        <details>
          <summary className="quiet small">
            Not allowed yet: {unavailable.length === 1 ? 'one thing' : `${unavailable.length} things`}
          </summary>
          <ul className="reasons">
            {unavailable.map(({ tool }) => (
              <li key={tool}>
                <span>{toolTitle(tool)}</span>
                {onReconnect && (
                  <button
                    type="button"
                    aria-label={`Allow: ${toolTitle(tool)}`}
                    onClick={() => onReconnect([tool])}
                  >
                    Allow
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary className="quiet small">Details</summary>
        <dl className="facts">
          {settings.map(([key, value]) => (
            <div key={key}>
              <dt>{provider.connection.properties?.[key]?.title ?? key}</dt>
              <dd>{showValue(value)}</dd>
            </div>
          ))}
          <div>
            <dt>Passwords and keys</dt>
            <dd>stored encrypted, never shown</dd>
          </div>
        </dl>
        {!isOff && (
          <button type="button" disabled={isBusy} onClick={() => void switchOver()}>
            Switch off
          </button>
        )}
      </details>
      {isLeaving && (
        <ConfirmDialog
          title={`Disconnect ${name}?`}
          action="Disconnect"
          anchor={heading}
          onKeep={() => setLeaving(false)}
          onConfirm={() => void remove()}
        >
          <p>{consequence(provider, uses, stops)}</p>
          <p>
            {provider.oauth
              ? `Everything stored for it is deleted, and access at ${provider.name} ends.`
              : 'Everything stored for it is deleted. You’ll need the key or password to connect it again.'}
          </p>
        </ConfirmDialog>
      )}
    </article>
  )
}

function statusWords({ status, expiresAt }: Connection): string {
  const end = expiresAt ? ` ${showDate(expiresAt, 'day')}` : ''
  switch (status) {
    case 'connected':
      return 'Works'
    case 'expiring':
      return end ? `Sign in again by${end}` : 'Sign in again soon'
    case 'expired':
      return 'Sign in again'
    case 'failed':
      return 'Does not work'
    case 'disabled':
      return 'Switched off'
  }
}

function consequence({ tools }: Provider, uses: readonly string[], stops: readonly string[]): string {
  if (tools.length === 0) return 'Agents whose model needs this key will stop answering.'
  if (stops.length > 0) return `These stop working for your agents: ${stops.join(', ')}.`
  return uses.length > 0 ? 'Your agents will use your other connections.' : 'No agent uses it.'
}

function shortTime(moment: string): string {
  return showDate(moment, 'moment')
}
