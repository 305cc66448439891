import { type Ref, useState } from 'react'
import type { Provider } from '../../../client/connection.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { ConnectForm } from './connect-form.tsx'
import { ConnectionView } from './connection-view.tsx'

/** One provider: what it is for, its connections, and how to make one. */
export function ProviderSection({
  provider,
  isWanted,
  wantedTools,
  toolTitle,
  onChange,
  ref,
}: {
  provider: Provider
  /** The user was sent here to connect it. */
  isWanted: boolean
  /** What a sign-in has to allow. */
  wantedTools: string[] | undefined
  toolTitle(name: string): string
  onChange(): Promise<unknown>
  ref?: Ref<HTMLElement> | undefined
}) {
  const { askback } = useSession()
  const toast = useToast()
  const { id, name, description, tools, oauth, connections } = provider
  const [isOpen, setOpen] = useState(isWanted && !oauth)

  const connect = async (connectionId?: string, asked = wantedTools) => {
    if (!oauth) return setOpen(true)
    try {
      // Whoever comes back without having allowed it can try again with the same.
      const returnTo = new URL('/settings/integrations', location.origin)
      returnTo.searchParams.set('provider', id)
      if (asked) returnTo.searchParams.set('tools', asked.join(','))
      const { url } = await askback.connections.startSignIn({
        provider: id,
        returnTo: returnTo.href,
        ...(asked ? { tools: asked } : {}),
        ...(connectionId ? { connectionId } : {}),
      })
      location.assign(url)
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
  }

  return (
    <section ref={ref} className="provider" aria-label={name}>
      <div className="provider-head">
        <div>
          <h3>{name}</h3>
          <p className="quiet">{description}</p>
        </div>
        {!isOpen && (
          <button type="button" className={isWanted ? 'primary' : ''} onClick={() => void connect()}>
            Connect
          </button>
        )}
      </div>
      {isOpen && (
        <ConnectForm
          provider={provider}
          onCancel={() => setOpen(false)}
          onConnected={async (account) => {
            setOpen(false)
            toast(`Connected${account ? `: ${account}` : ''}. What waited for it goes on by itself.`)
            await onChange()
          }}
        />
      )}
      {connections.map((connection) => (
        <ConnectionView
          key={connection.id}
          provider={provider}
          connection={connection}
          stops={tools.map(toolTitle)}
          onReconnect={oauth ? (asked) => void connect(connection.id, asked) : undefined}
          onChange={onChange}
        />
      ))}
    </section>
  )
}
