import '../styles/pages.css'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { Provider } from '../../client/api/connection.ts'
import { Integrations } from '../../client/react/settings/integrations.tsx'
import type { ProviderNote } from '../../client/react/settings/provider-section.tsx'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { wayBack } from './integrations/way-back.ts'
import { integrationsWords } from './integrations/words.ts'

/** The providers and their connections. Sign-in pages of providers lead back here. */
export function IntegrationsPage() {
  const { askback, config } = useSession()
  const toast = useToast()
  const words = integrationsWords()
  const [search] = useSearchParams()
  useEffect(() => {
    // Where cards of servers lead.
    if (search.has('server')) navigate(`/settings/integrations/servers?${search}`, { replace: true })
  }, [search])
  const isSimulated = (service: string) => config.local?.simulated.includes(service) ?? false
  const noteOf = ({ service, oauth, available }: Provider): ProviderNote | undefined => {
    if (available === false) return { text: words.notSetUpLocally }
    if (oauth && isSimulated('google')) return { text: words.googleSimulated }
    if (service !== 'search') return undefined
    return isSimulated(service)
      ? { text: words.searchSimulated, takesAnyKey: true }
      : { text: words.searchesReally }
  }
  const cameFrom = pageOfCard(search.get('from'))
  return (
    <main className="page">
      <PageTitle>{words.title}</PageTitle>
      <SettingsHead>{words.note}</SettingsHead>
      <Integrations
        askback={askback}
        loading={<Skeleton />}
        wayBack={
          cameFrom && (
            <Link href={cameFrom} state={wayBack}>
              {cameFrom === '/waiting' ? words.backToWaiting : words.backToChat}
            </Link>
          )
        }
        noteOf={config.local && noteOf}
        onNote={toast}
      />
    </main>
  )
}

/** The page of the card that led here; a link cannot name any other page. */
function pageOfCard(path: string | null): string | undefined {
  return path !== null && /^\/(chat\/[\w-]+|waiting)$/.test(path) ? path : undefined
}
