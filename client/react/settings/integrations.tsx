import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Connection, Provider } from '../../api/connection.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { orderedGroups } from './connection-group.ts'
import { ConnectionOrder } from './connection-order.tsx'
import { type ProviderNote, ProviderSection } from './provider-section.tsx'
import type { ShowNote } from './show-note.ts'
import { useProviders } from './use-providers.ts'
import { useSignInReturn } from './use-sign-in-return.ts'
import { toolsThatStop } from './what-stops.ts'

/**
 * The integration settings: accounts to connect, keys for searches and language models. Put it on the page that
 * `settingsHref` of the cards leads to. It reads `?provider=` and `?tools=` of the page's address, scrolls to what is
 * asked for, and takes users back in who have signed in at a provider. What a card asks for is shown in any case; what this
 * server isn't set up for, only then or with a note.
 */
export function Integrations({
  askback,
  only,
  hide,
  loading,
  wayBack,
  noteOf,
  onNote,
}: {
  askback: Askback
  /** Ids of the providers to show, or `models` for all of language models: `['gmail', 'models']`; all if absent. */
  only?: readonly string[] | undefined
  /** Ids of providers not to show, or `models`. */
  hide?: readonly string[] | undefined
  /** Shown until the settings are loaded. */
  loading?: ReactNode
  /** Leads back to the card that sent the user here. */
  wayBack?: ReactNode
  /** What to know about a provider on this server, such as what to do where its sign-in is not set up. */
  noteOf?: ((provider: Provider) => ProviderNote | undefined) | undefined
  onNote: ShowNote
}) {
  const labels = useLabels()
  const words = useIntegrationLabels()
  const { providers, failure, toolTitle, refresh } = useProviders(askback)
  const [{ provider: asked, connecting, tools: wantedTools }] = useState(readAddress)
  const [wanted, setWanted] = useState(asked ?? connecting)
  const [connected, setConnected] = useState<string>()
  const noteConnected = ({ id }: Connection) => setConnected(id)
  useSignInReturn(askback, providers, { onNote, onChange: refresh, onConnected: noteConnected })
  const wantedSection = useRef<HTMLElement>(null)
  const isLoaded = providers !== undefined
  useEffect(() => {
    if (!isLoaded) return
    wantedSection.current?.scrollIntoView({ block: 'start' })
    // Users who came from a card continue with the connection it asks for.
    const find = (what: string) => wantedSection.current?.querySelector<HTMLElement>(what)
    ;(find('form :is(input, select)') ?? find('button'))?.focus({ preventScroll: true })
  }, [isLoaded, wanted])

  const isListed = (provider: Provider) =>
    provider.id === wanted ||
    ((only === undefined || isAmong(provider, only)) &&
      !isAmong(provider, hide ?? []) &&
      (provider.available !== false || provider.connections.length > 0 || noteOf?.(provider) !== undefined))
  const listed = (providers ?? []).filter((provider) => !provider.builtIn && isListed(provider))
  const wantedProvider = listed.find(({ id }) => id === wanted)
  const fits = listed.filter((provider) => isAlike(provider, wantedProvider))
  const isMissing = fits.every(({ connections }) => connections.length === 0)
  const isConnected = ({ connections }: Provider) => connections.some(({ id }) => id === connected)
  const leadsBack = fits.find(isConnected)?.id ?? wanted
  const groups = [
    { name: words.forAgents, providers: listed.filter(({ tools }) => tools.length > 0) },
    { name: words.languageModels, providers: listed.filter(({ tools }) => tools.length === 0) },
  ]
  return (
    <div className="askback-settings">
      <Problem>{failure === undefined ? undefined : describeFailure(failure, labels)}</Problem>
      {!isLoaded && failure === undefined && loading}
      {groups
        .filter(({ providers }) => providers.length > 0)
        .map(({ name, providers: some }) => (
          <div key={name} className="askback-providers">
            <h2>{name}</h2>
            {some.map((provider) => (
              <ProviderSection
                // Begins anew when it becomes what is wanted.
                key={`${provider.id} ${provider.id === wanted}`}
                askback={askback}
                ref={provider.id === wanted ? wantedSection : undefined}
                provider={provider}
                isWanted={provider.id === wanted && provider.connections.length === 0}
                alike={provider.id === wanted && isMissing ? fits.filter(({ id }) => id !== wanted) : []}
                onInstead={setWanted}
                wayBack={provider.id === leadsBack ? wayBack : undefined}
                connected={connected}
                wantedTools={provider.id === wanted ? wantedTools : undefined}
                note={noteOf?.(provider)}
                toolTitle={toolTitle}
                stopping={(connection) => toolsThatStop(providers ?? [], provider, connection)}
                onNote={onNote}
                onChange={refresh}
                onConnected={noteConnected}
              />
            ))}
            {orderedGroups(some).map((group) => (
              <ConnectionOrder
                key={group[0]?.provider.tools.join() ?? ''}
                askback={askback}
                group={group}
                uses={(group[0]?.provider.tools ?? []).map(toolTitle)}
                onNote={onNote}
                onChange={refresh}
              />
            ))}
          </div>
        ))}
    </div>
  )
}

function isAmong({ id, tools }: Provider, names: readonly string[]): boolean {
  return names.includes(id) || (tools.length === 0 && names.includes('models'))
}

/** Whether a connection of one provider does what is asked of another: the same tools choose among them. */
function isAlike({ id, tools }: Provider, wanted: Provider | undefined): boolean {
  return id === wanted?.id || (tools.length > 0 && tools.join() === wanted?.tools.join())
}

/** What the link of a card, or a provider's page, asks for. */
function readAddress(): { provider?: string; connecting?: string; tools?: string[] } {
  if (typeof location === 'undefined') return {}
  const { provider, connecting, tools } = Object.fromEntries(new URLSearchParams(location.search))
  return {
    provider,
    connecting,
    tools: tools === undefined ? undefined : tools.split(','),
  }
}
