import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import type { Connection, Provider } from '../../api/connection.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useWasKept } from '../forms/use-kept.ts'
import { ServiceIcon } from '../icons/service-icon.tsx'
import { useFirstField } from '../interaction/use-first-field.ts'
import { useShowOpened } from '../interaction/use-show-opened.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { ConnectForm, placeOfForm } from './connect-form.tsx'
import { ConnectionView, givenName } from './connection-view.tsx'
import type { ShowNote } from './show-note.ts'

/** What to know about a provider on this server. */
export interface ProviderNote {
  text: string
  /** Nothing is said of where to get a key. */
  takesAnyKey?: boolean
}

/** One provider: its purpose, its connections, and how to add one. */
export function ProviderSection({
  askback,
  provider: given,
  isWanted,
  alike,
  onInstead,
  wayBack,
  connected,
  wantedTools,
  note,
  toolTitle,
  stopping,
  onNote,
  onChange,
  onConnected,
  ref,
}: {
  askback: Askback
  provider: Provider
  /** The user was sent here to connect it. */
  isWanted: boolean
  /** What the user may connect instead. */
  alike: readonly Provider[]
  /** Called with the id of what the user wants to connect instead. */
  onInstead(id: string): void
  /** Leads back to where the user was sent here from. */
  wayBack: ReactNode
  /** Id of the connection that the user has just made or repaired. */
  connected: string | undefined
  /** Tools that a sign-in must grant permissions for. */
  wantedTools: string[] | undefined
  note: ProviderNote | undefined
  toolTitle(name: string): string
  /** Names of the tools that would stop working without a connection. */
  stopping(connection: Connection): string[]
  onNote: ShowNote
  /** Returns the providers as they are now, if they could be read. */
  onChange(): Promise<readonly Provider[] | undefined>
  onConnected(connection: Connection): void
  ref?: Ref<HTMLElement> | undefined
}) {
  const labels = useLabels()
  const words = useIntegrationLabels()
  const noteId = useId()
  const provider = note?.takesAnyKey ? withoutKeysAt(given) : given
  const { id, name, description, tools, oauth, available = true, connections } = provider
  const wasBegun = useWasKept(placeOfForm(id))
  const [isOpen, setOpen] = useState((isWanted || wasBegun) && !oauth)
  const heading = useRef<HTMLHeadingElement>(null)
  const back = useRef<HTMLDivElement>(null)
  // The button or form that had the focus is gone.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    },
    [isOpen, connections.length],
  )
  const form = useRef<HTMLFormElement>(null)
  useShowOpened(isOpen, form)
  const noteClick = useFirstField(isOpen, form)
  const isConnected = connections.some((one) => one.id === connected)
  // The next step, which the form that was closed may have moved out of sight.
  useEffect(() => {
    if (isConnected) back.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [isConnected])
  const notSetUp = available ? undefined : (note?.text ?? words.notSetUpNote)
  const shownNote = notSetUp ?? (isOpen || connections.length === 0 ? note?.text : undefined)

  const connect = async (connectionId?: string, asked = wantedTools) => {
    if (notSetUp) return onNote(words.noSignIn(notSetUp), 'failed')
    if (!oauth) return setOpen(true)
    try {
      // Users who come back without granting access can try again with the same link.
      const returnTo = new URL(location.href)
      returnTo.hash = ''
      returnTo.searchParams.set('provider', id)
      if (asked) returnTo.searchParams.set('tools', asked.join(','))
      else returnTo.searchParams.delete('tools')
      const { url } = await askback.connections.startSignIn({
        provider: id,
        returnTo: returnTo.href,
        tools: asked,
        connectionId: connectionId || undefined,
      })
      location.assign(url)
    } catch (error) {
      onNote(describeFailure(error, labels), 'failed')
    }
  }
  const usesOf = ({ unavailable = [], status }: Connection) =>
    status === 'disabled' ? [] : tools.filter((tool) => !unavailable.some((missing) => missing.tool === tool))

  return (
    <section ref={ref} className="askback-provider" aria-label={name}>
      <div className="askback-provider-head">
        <div>
          <h3 ref={heading} tabIndex={-1}>
            <ServiceIcon name={tools[0]} />
            {name}
          </h3>
          <p className="askback-quiet">{description}</p>
          {connections.length === 0 && (
            <p className="askback-status" data-status="none">
              {notSetUp ? words.notSetUp : words.notConnected}
            </p>
          )}
        </div>
        {!isOpen && (
          <div className="askback-actions">
            <button
              type="button"
              className={isWanted && !notSetUp ? 'askback-primary' : ''}
              aria-disabled={notSetUp !== undefined}
              aria-describedby={notSetUp ? noteId : undefined}
              onClick={(event) => {
                noteClick(event)
                void connect()
              }}
            >
              {connections.length === 0 ? words.connect : words.connectAnother}
            </button>
          </div>
        )}
      </div>
      {shownNote && (
        <p id={noteId} className="askback-notice askback-small">
          {shownNote}
        </p>
      )}
      {alike.length > 0 && (
        <div className="askback-actions">
          <span className="askback-quiet askback-small">{words.connectInstead}</span>
          {alike.map((one) => (
            <button
              key={one.id}
              type="button"
              aria-label={words.connectTo(one.name)}
              onClick={() => onInstead(one.id)}
            >
              {one.name}
            </button>
          ))}
        </div>
      )}
      {isOpen && (
        <ConnectForm
          ref={form}
          askback={askback}
          provider={provider}
          onFailed={() => void onChange()}
          onCancel={() => setOpen(false)}
          onConnected={async (connection) => {
            await onChange()
            setOpen(false)
            onConnected(connection)
            onNote(words.connected(name, connection.account && givenName(connection.account, words)), 'done')
          }}
          onTaken={async () => {
            const found = await onChange()
            setOpen(false)
            const [made] = found?.find((one) => one.id === id)?.connections ?? []
            if (made) onConnected(made)
            onNote(words.alreadyConnected(name), 'done')
          }}
        />
      )}
      {wayBack !== undefined && (
        <div ref={back} className="askback-way-back">
          {wayBack}
        </div>
      )}
      {connections.map((connection) => {
        const uses = usesOf(connection)
        const stops = stopping(connection).filter((tool) => uses.includes(tool))
        return (
          <ConnectionView
            key={connection.id}
            askback={askback}
            provider={provider}
            connection={connection}
            isNext={connection.id === connected && wayBack === undefined}
            uses={uses.map(toolTitle)}
            stops={stops.map(toolTitle)}
            toolTitle={toolTitle}
            onReconnect={oauth ? (asked) => void connect(connection.id, asked) : undefined}
            onNote={onNote}
            onChange={onChange}
            onConnected={onConnected}
          />
        )
      })}
    </section>
  )
}

function withoutKeysAt(provider: Provider): Provider {
  const { keysAt: _, properties = {}, ...schema } = provider.connection
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    field.secret ? { ...field, hint: '' } : field,
  ])
  return { ...provider, connection: { ...schema, properties: Object.fromEntries(fields) } }
}
