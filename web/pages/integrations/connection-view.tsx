import { useRef, useState } from 'react'
import type { Connection, Provider } from '../../../client/connection.ts'
import { useWasKept } from '../../../client/react/use-kept.ts'
import { showValue, withoutMark } from '../../../client/sentence.ts'
import { failureSentence } from '../../failure-sentence.ts'
import { showDate, showList } from '../../locale.ts'
import { useSession } from '../../session.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { useFocusBack } from '../../use-focus-back.ts'
import { ConnectForm, placeOfForm } from './connect-form.tsx'
import { integrationsWords } from './words.ts'

/** One account: its state and its actions. */
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
  /** Titles of the tools that use it. */
  uses: string[]
  /** Titles of the tools that would stop working without it. */
  stops: string[]
  /** The title of `tool` or `tool:action`. */
  toolTitle(name: string): string
  /** Signs in again to grant permissions for these tools too; absent if the provider has a form. */
  onReconnect: ((tools?: string[]) => void) | undefined
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const words = integrationsWords()
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

  /** The result is announced once all buttons work again, because users react to it at once. */
  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    const [outcome, kind] = await work().then(
      (done) => [done, 'done'] as const,
      (error: Error) => [failureSentence(error), 'failed'] as const,
    )
    await onChange()
    setBusy(false)
    toast(outcome, kind)
  }
  const test = () =>
    perform(async () => {
      const result = await askback.connections.test(id)
      if (result.ok) return words.providerWorks(provider.name)
      throw new Error(withoutMark(result.error ?? words.providerBroken(provider.name)))
    })
  const switchOver = () =>
    perform(async () => {
      await askback.connections.change(id, { disabled: !isOff })
      return isOff ? words.switchedOn : words.switchedOff
    })
  const remove = () =>
    perform(async () => {
      setLeaving(false)
      const { lost = [], revoked } = await askback.connections.delete(id)
      const losses = lost.map((agent) => words.lost(agent.name, agent.tools.length))
      const rest = revoked === false ? [words.removeThere(provider.name)] : []
      return [words.disconnected, ...losses, ...rest].join(' ')
    })

  return (
    <article ref={heading} tabIndex={-1} className="connection" aria-label={name}>
      <div className="provider-head">
        <div>
          <strong dir="auto">{name}</strong>{' '}
          <span className="quiet small" dir="auto">
            {label && label !== name ? label : ''}
          </span>
          <p className="status" data-status={status}>
            {statusWords(connection)}
            <span className="quiet">
              {lastUsedAt ? words.lastUsed(showDate(lastUsedAt, 'moment')) : words.notUsed}
            </span>
          </p>
        </div>
        <div className="actions">
          {isOff ? (
            <button type="button" disabled={isBusy} onClick={() => void switchOver()}>
              {words.switchOn}
            </button>
          ) : (
            <button type="button" disabled={isBusy} onClick={() => void test()}>
              {words.test}
            </button>
          )}
          <button
            type="button"
            className={isBroken ? 'primary' : ''}
            disabled={isBusy}
            onClick={() => (onReconnect ? onReconnect() : setChanging(true))}
          >
            {onReconnect || isBroken ? words.reconnect : words.change}
          </button>
          <button type="button" disabled={isBusy} onClick={() => setLeaving(true)}>
            {words.disconnect}
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
            toast(words.providerWorks(provider.name))
            await onChange()
          }}
        />
      )}
      {allowed.length > 0 && <p className="quiet small">{words.allowedThings(allowed.join('; '))}</p>}
      {uses.length > 0 && <p className="quiet small">{words.usedFor(showList(uses))}</p>}
      {unavailable.length > 0 && (
        <details>
          <summary className="quiet small">{words.missing(unavailable.length)}</summary>
          <ul className="reasons">
            {unavailable.map(({ tool }) => (
              <li key={tool}>
                <span>{toolTitle(tool)}</span>
                {onReconnect && (
                  <button
                    type="button"
                    aria-label={words.allowThis(toolTitle(tool))}
                    onClick={() => onReconnect([tool])}
                  >
                    {words.allow}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary className="quiet small">{words.details}</summary>
        <dl className="facts">
          {settings.map(([key, value]) => (
            <div key={key}>
              <dt>{provider.connection.properties?.[key]?.title ?? key}</dt>
              <dd>{showValue(value)}</dd>
            </div>
          ))}
          <div>
            <dt>{words.secrets}</dt>
            <dd>{words.secretsNote}</dd>
          </div>
        </dl>
        {!isOff && (
          <button type="button" disabled={isBusy} onClick={() => void switchOver()}>
            {words.switchOff}
          </button>
        )}
      </details>
      {isLeaving && (
        <ConfirmDialog
          title={words.disconnectQuestion(name)}
          action={words.disconnect}
          anchor={heading}
          onKeep={() => setLeaving(false)}
          onConfirm={() => void remove()}
        >
          <p>{consequence(provider, uses, stops)}</p>
          <p>{provider.oauth ? words.accessEnds(provider.name) : words.keyNeeded}</p>
        </ConfirmDialog>
      )}
    </article>
  )
}

function statusWords({ status, expiresAt }: Connection): string {
  const words = integrationsWords()
  switch (status) {
    case 'connected':
      return words.works
    case 'expiring':
      return expiresAt ? words.signInBy(showDate(expiresAt, 'day')) : words.signInSoon
    case 'expired':
      return words.signInAgain
    case 'failed':
      return words.broken
    case 'disabled':
      return words.off
  }
}

function consequence({ tools }: Provider, uses: readonly string[], stops: readonly string[]): string {
  const words = integrationsWords()
  if (tools.length === 0) return words.modelsStop
  if (stops.length > 0) return words.toolsStop(showList(stops))
  return uses.length > 0 ? words.othersUsed : words.noneUsesIt
}
