import { failureSentence } from '../failure-sentence.ts'
import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Provider } from '../../client/connection.ts'
import { sayChoice, sayProvider } from '../../client/labels/say-settings.ts'
import { useLabels } from '../../client/react/use-labels.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { orderedGroups } from './integrations/connection-group.ts'
import { ConnectionOrder } from './integrations/connection-order.tsx'
import { ProviderSection } from './integrations/provider-section.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { toolsThatStop } from './integrations/what-stops.ts'
import { integrationsWords } from './integrations/words.ts'
import { useNamedTools } from './named-tools.ts'

const providersKey = ['providers']

/** The providers and their connections. Sign-in pages of providers lead back here. */
export function IntegrationsPage() {
  const { askback } = useSession()
  const queries = useQueryClient()
  const tools = useNamedTools()
  const labels = useLabels()
  const { data, error, isPending } = useQuery({
    queryKey: providersKey,
    queryFn: askback.connections.list,
    select: useCallback((found: Provider[]) => found.map((one) => sayProvider(labels, one)), [labels]),
  })
  const words = integrationsWords()
  const [search] = useSearchParams()
  const wanted = search.get('provider') ?? search.get('connecting')
  const cameFrom = pageOfCard(search.get('from'))
  useReturnFromProvider(data)
  const wantedSection = useRef<HTMLElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (!isLoaded) return
    wantedSection.current?.scrollIntoView({ block: 'start' })
    // Users who came from a card continue with the connection it asks for.
    wantedSection.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [isLoaded])

  const changed = useCallback(() => queries.invalidateQueries({ queryKey: providersKey }), [queries])
  const titles = new Map(tools.map(({ name, title }) => [name, title]))
  const toolTitle = (name: string) => {
    const [tool = name, action] = name.split(':')
    const title = titles.get(tool) ?? tool
    return action === undefined ? title : `${title}: ${sayChoice(labels, tool, 'action', action)}`
  }
  const listed = (data ?? []).filter(({ builtIn }) => !builtIn)
  const groups = [
    { name: words.forAgents, providers: listed.filter(({ tools }) => tools.length > 0) },
    { name: words.languageModels, providers: listed.filter(({ tools }) => tools.length === 0) },
  ]
  return (
    <main className="page">
      <PageTitle>{words.title}</PageTitle>
      <SettingsHead>{words.note}</SettingsHead>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {isPending && <Skeleton />}
      {groups
        .filter(({ providers }) => providers.length > 0)
        .map(({ name, providers }) => (
          <div key={name} className="providers">
            <h2>{name}</h2>
            {providers.map((provider) => (
              <ProviderSection
                key={provider.id}
                ref={provider.id === wanted ? wantedSection : undefined}
                provider={provider}
                isWanted={provider.id === search.get('provider') && provider.connections.length === 0}
                cameFrom={provider.id === wanted ? cameFrom : undefined}
                wantedTools={
                  provider.id === wanted ? (search.get('tools')?.split(',') ?? undefined) : undefined
                }
                toolTitle={toolTitle}
                stopping={(connection) => toolsThatStop(data ?? [], provider, connection)}
                onChange={changed}
              />
            ))}
            {orderedGroups(providers).map((group) => (
              <ConnectionOrder
                key={group[0]?.provider.tools.join() ?? ''}
                group={group}
                uses={(group[0]?.provider.tools ?? []).map(toolTitle)}
                onChange={changed}
              />
            ))}
          </div>
        ))}
    </main>
  )
}

/** The page of the card that led here; a link cannot name any other page. */
function pageOfCard(path: string | null): string | undefined {
  return path !== null && /^\/(chat\/[\w-]+|waiting)$/.test(path) ? path : undefined
}

/** Handles the return from a provider's page: with a one-time code, or an error. */
function useReturnFromProvider(providers: Provider[] | undefined): void {
  const { askback } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const [search, setSearch] = useSearchParams()
  const code = search.get('code')
  const failure = search.get('error')
  const connecting = search.get('connecting')
  const [done, setDone] = useState<string>()
  const isKnown = providers !== undefined
  const name = providers?.find(({ id }) => id === connecting)?.name
  useEffect(() => {
    if (!isKnown || (!code && !failure) || done === (code ?? failure)) return
    const words = integrationsWords()
    setDone(code ?? failure ?? '')
    setSearch(
      (before) => {
        const kept = new URLSearchParams(before)
        for (const key of ['code', 'error', 'connecting']) kept.delete(key)
        return kept
      },
      { replace: true },
    )
    if (failure === 'access_denied') toast(words.notAllowed, 'failed')
    else if (failure) toast(words.notConnectedBack(name ?? words.theAccount), 'failed')
    else if (code) {
      askback.connections
        .completeSignIn(code)
        .then(({ connection }) => toast(words.connectedBack(connection.account ?? connection.label)))
        .catch((error) => toast(failureSentence(error), 'failed'))
        .finally(() => queries.invalidateQueries({ queryKey: providersKey }))
    }
  }, [isKnown, code, failure, done, name, askback, queries, toast, setSearch])
}
