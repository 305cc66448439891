import { useEffect, useRef, useState } from 'react'
import { showDate, showList } from '../../../shared/words/locale.ts'
import type { Connection, Provider } from '../../api/connection.ts'
import type { Askback } from '../../askback.ts'
import type { IntegrationLabels } from '../../labels/en-integrations.ts'
import { describeFailure } from '../../labels/failure.ts'
import { showValue, withoutMark } from '../../values/sentence.ts'
import { useWasKept } from '../forms/use-kept.ts'
import { useFirstField } from '../interaction/use-first-field.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useShowOpened } from '../interaction/use-show-opened.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { AskFirst } from './ask-first.tsx'
import { ConnectForm, placeOfForm } from './connect-form.tsx'
import type { ShowNote } from './show-note.ts'

/** One account: its state and its actions. */
export function ConnectionView({
  askback,
  provider,
  connection,
  isNext,
  uses,
  stops,
  toolTitle,
  onReconnect,
  onNote,
  onChange,
  onConnected,
}: {
  askback: Askback
  provider: Provider
  connection: Connection
  /** The user has just connected it, and goes on here. */
  isNext: boolean
  /** Titles of the tools that use it. */
  uses: string[]
  /** Titles of the tools that would stop working without it. */
  stops: string[]
  /** The title of `tool` or `tool:action`. */
  toolTitle(name: string): string
  /** Signs in again to grant permissions for these tools too; absent if the provider has a form. */
  onReconnect: ((tools?: string[]) => void) | undefined
  onNote: ShowNote
  onChange(): Promise<unknown>
  onConnected(connection: Connection): void
}) {
  const labels = useLabels()
  const words = useIntegrationLabels()
  const [isBusy, setBusy] = useState(false)
  const [isChanging, setChanging] = useState(useWasKept(placeOfForm(provider.id, connection.id)))
  const [isLeaving, setLeaving] = useState(false)
  const heading = useRef<HTMLElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useShowOpened(isChanging, form)
  const noteClick = useFirstField(isChanging, form)
  useFocusBack(isBusy || isChanging, heading)
  useEffect(() => {
    if (isNext && !heading.current?.contains(document.activeElement)) heading.current?.focus()
  }, [isNext])
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
  const shownLabel = givenName(label, words)
  const name = account === null ? shownLabel || provider.name : givenName(account, words)
  const quoted = (titles: readonly string[]) => titles.map((title) => labels.quotes.join(title))
  const settings = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  const isOff = status === 'disabled'
  const isBroken = status === 'failed' || status === 'expired'

  /** The result is announced once all buttons work again, because users react to it at once. */
  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    const [outcome, kind] = await work().then(
      (done) => [done, 'done'] as const,
      (error: Error) => [describeFailure(error, labels), 'failed'] as const,
    )
    await onChange()
    setBusy(false)
    onNote(outcome, kind)
  }
  const test = () =>
    perform(async () => {
      const result = await askback.connections.test(id)
      if (result.ok) return words.providerWorks(provider.name)
      throw new Error(withoutMark(result.error ?? ''))
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
      const losses = lost.map(({ name, tools }) =>
        words.lost(name, showList(quoted(tools.map(toolTitle)), labels.locale)),
      )
      const rest = revoked === false ? [words.removeThere(provider.name)] : []
      return [words.disconnected, ...losses, ...rest].join(' ')
    })

  return (
    <article ref={heading} tabIndex={-1} className="askback-connection" aria-label={name}>
      <div className="askback-provider-head">
        <div>
          <strong dir="auto">{name}</strong>{' '}
          <span className="askback-quiet askback-small" dir="auto">
            {shownLabel === name ? '' : shownLabel}
          </span>
          <p className="askback-status" data-status={status}>
            {statusWords(connection, words, labels.locale)}
            {lastUsedAt && (
              <span className="askback-quiet">
                {words.lastUsed(showDate(lastUsedAt, 'moment', labels.locale))}
              </span>
            )}
          </p>
        </div>
        <div className="askback-actions">
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
            className={isBroken ? 'askback-primary' : ''}
            disabled={isBusy}
            aria-expanded={onReconnect ? undefined : isChanging}
            onClick={(event) => {
              noteClick(event)
              if (onReconnect) onReconnect()
              else setChanging(!isChanging)
            }}
          >
            {onReconnect || isBroken ? words.reconnect : words.change}
          </button>
          <button type="button" disabled={isBusy} onClick={() => setLeaving(true)}>
            {words.disconnect}
          </button>
        </div>
      </div>
      {lastError && <p className="askback-problem">{withoutMark(lastError)}</p>}
      {isChanging && (
        <ConnectForm
          ref={form}
          askback={askback}
          provider={provider}
          connection={connection}
          onFailed={() => void onChange()}
          onCancel={() => setChanging(false)}
          onConnected={async () => {
            await onChange()
            setChanging(false)
            onConnected(connection)
            onNote(words.providerWorks(provider.name), 'done')
          }}
        />
      )}
      {allowed.length > 0 && (
        <p className="askback-quiet askback-small">{words.allowedThings(allowed.join('; '))}</p>
      )}
      {uses.length > 0 && <p className="askback-quiet askback-small">{words.usedFor(uses.join(', '))}</p>}
      {unavailable.length > 0 && (
        <details>
          <summary className="askback-quiet askback-small">{words.missing(unavailable.length)}</summary>
          <ul className="askback-permissions">
            {unavailable.map(({ tool }) => (
              <li key={tool}>
                <span>{toolTitle(tool)}</span>
                {onReconnect && (
                  <div className="askback-actions">
                    <button
                      type="button"
                      aria-label={words.allowThis(toolTitle(tool))}
                      onClick={() => onReconnect([tool])}
                    >
                      {words.allow}
                    </button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary className="askback-quiet askback-small">{words.details}</summary>
        <dl className="askback-facts">
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
          <div className="askback-actions">
            <button type="button" disabled={isBusy} onClick={() => void switchOver()}>
              {words.switchOff}
            </button>
          </div>
        )}
      </details>
      {isLeaving && (
        <AskFirst
          title={words.disconnectQuestion(provider.name, name === provider.name ? null : name)}
          action={words.disconnect}
          onKeep={() => setLeaving(false)}
          onConfirm={() => void remove()}
        >
          <p>{consequence(provider, uses, quoted(stops), words, labels.locale)}</p>
          <p>{provider.oauth ? words.accessEnds(provider.name) : words.keyNeeded}</p>
        </AskFirst>
      )}
    </article>
  )
}

/** An account or a connection's name: translated if the server has given it. */
export function givenName(name: string, { given }: IntegrationLabels): string {
  return Object.hasOwn(given, name) ? given[name as keyof typeof given] : name
}

function statusWords({ status, expiresAt }: Connection, words: IntegrationLabels, locale: string): string {
  switch (status) {
    case 'connected':
      return words.works
    case 'expiring':
      return expiresAt ? words.signInBy(showDate(expiresAt, 'day', locale)) : words.signInSoon
    case 'expired':
      return words.signInAgain
    case 'failed':
      return words.broken
    case 'disabled':
      return words.off
  }
}

function consequence(
  { tools }: Provider,
  uses: readonly string[],
  stops: readonly string[],
  words: IntegrationLabels,
  locale: string,
): string {
  if (tools.length === 0) return words.modelsStop
  if (stops.length > 0) return words.toolsStop(showList(stops, locale))
  return uses.length > 0 ? words.othersUsed : words.noneUsesIt
}
