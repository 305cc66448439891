import '../styles/pages.css'
import { useSearchParams } from 'wouter'
import { ConnectApp } from '../../client/react/apps/connect-app.tsx'
import { useAppLabels } from '../../client/react/labels/use-app-labels.ts'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { LoadingPage } from '../shell/skeleton.tsx'

/**
 * Asks whether an app may use the user's agents: `/connect?authorization_id=…` by the OAuth server, `/connect#client=…` by an
 * app that was refused. Without the app around it.
 */
export function Connect() {
  const { askback, supabase } = useSession()
  const [search] = useSearchParams()
  const fragment = new URLSearchParams(location.hash.slice(1))
  const given = (parameters: URLSearchParams, name: string) => parameters.get(name) ?? undefined
  return (
    <main className="page narrow open-page">
      <PageTitle>{useAppLabels().connectTitle}</PageTitle>
      <ConnectApp
        askback={askback}
        auth={supabase.auth}
        authorizationId={given(search, 'authorization_id')}
        clientId={given(fragment, 'client')}
        agentId={given(fragment, 'agent')}
        loading={<LoadingPage />}
      />
    </main>
  )
}
