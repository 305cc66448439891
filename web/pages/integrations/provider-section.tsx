import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Connection, Provider } from '../../../client/connection.ts'
import { ServiceIcon } from '../../../client/react/service-icon.tsx'
import { useWasKept } from '../../../client/react/use-kept.ts'
import { failureSentence } from '../../failure-sentence.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { ConnectForm, placeOfForm } from './connect-form.tsx'
import { ConnectionView } from './connection-view.tsx'
import { integrationsWords } from './words.ts'

/** One provider: its purpose, its connections, and how to add one. */
export function ProviderSection({
  provider,
  isWanted,
  cameFrom,
  wantedTools,
  toolTitle,
  stopping,
  onChange,
  ref,
}: {
  provider: Provider
  /** The user was sent here to connect it. */
  isWanted: boolean
  /** The page that sent the user here. */
  cameFrom: string | undefined
  /** Tools that a sign-in must grant permissions for. */
  wantedTools: string[] | undefined
  toolTitle(name: string): string
  /** Names of the tools that would stop working without a connection. */
  stopping(connection: Connection): string[]
  onChange(): Promise<unknown>
  ref?: Ref<HTMLElement> | undefined
}) {
  const { askback, config } = useSession()
  const toast = useToast()
  const words = integrationsWords()
  const noteId = useId()
  const { id, name, description, tools, oauth, available = true, connections } = provider
  const wasBegun = useWasKept(placeOfForm(id))
  const [isOpen, setOpen] = useState((isWanted || wasBegun) && !oauth)
  const heading = useRef<HTMLHeadingElement>(null)
  const wayBack = useRef<HTMLAnchorElement>(null)
  // The button or form that had the focus is gone.
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return
      const next = wayBack.current ?? heading.current
      next?.focus({ preventScroll: true })
    },
    [isOpen, connections.length],
  )
  const notSetUp = available ? undefined : config.local ? words.notSetUpLocally : words.notSetUpHosted

  const connect = async (connectionId?: string, asked = wantedTools) => {
    if (notSetUp) return toast(words.noSignIn(notSetUp), 'failed')
    if (!oauth) return setOpen(true)
    try {
      // Users who come back without granting access can try again with the same link.
      const returnTo = new URL('/settings/integrations', location.origin)
      returnTo.searchParams.set('provider', id)
      if (asked) returnTo.searchParams.set('tools', asked.join(','))
      if (cameFrom) returnTo.searchParams.set('from', cameFrom)
      const { url } = await askback.connections.startSignIn({
        provider: id,
        returnTo: returnTo.href,
        ...(asked ? { tools: asked } : {}),
        ...(connectionId ? { connectionId } : {}),
      })
      location.assign(url)
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
  }
  const usesOf = ({ unavailable = [], status }: Connection) =>
    status === 'disabled' ? [] : tools.filter((tool) => !unavailable.some((missing) => missing.tool === tool))

  return (
    <section ref={ref} className="provider" aria-label={name}>
      <div className="provider-head">
        <div>
          <h3 ref={heading} tabIndex={-1}>
            <ServiceIcon name={tools[0]} />
            {name}
          </h3>
          <p className="quiet">{description}</p>
          {connections.length === 0 && (
            <p className="status" data-status="none">
              {notSetUp ? words.notSetUp : words.notConnected}
            </p>
          )}
        </div>
        {!isOpen && (
          <button
            type="button"
            className={isWanted && !notSetUp ? 'primary' : ''}
            aria-disabled={notSetUp !== undefined}
            aria-describedby={notSetUp ? noteId : undefined}
            onClick={() => void connect()}
          >
            {connections.length === 0 ? words.connect : words.connectAnother}
          </button>
        )}
      </div>
      {notSetUp && (
        <p id={noteId} className="note small">
          {notSetUp}
        </p>
      )}
      {isOpen && (
        <ConnectForm
          provider={provider}
          onFailed={() => void onChange()}
          onCancel={() => setOpen(false)}
          onConnected={async (account) => {
            setOpen(false)
            toast(words.connected(account))
            await onChange()
          }}
        />
      )}
      {cameFrom && connections.length > 0 && (
        <p>
          <Link ref={wayBack} href={cameFrom}>
            {cameFrom === '/waiting' ? words.backToWaiting : words.backToChat}
          </Link>
        </p>
      )}
      {connections.map((connection) => {
        const uses = usesOf(connection)
        const stops = stopping(connection).filter((tool) => uses.includes(tool))
        return (
          <ConnectionView
            key={connection.id}
            provider={provider}
            connection={connection}
            uses={uses.map(toolTitle)}
            stops={stops.map(toolTitle)}
            toolTitle={toolTitle}
            onReconnect={oauth ? (asked) => void connect(connection.id, asked) : undefined}
            onChange={onChange}
          />
        )
      })}
    </section>
  )
}
