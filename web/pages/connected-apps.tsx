import '../styles/pages.css'
import { givenPath } from '../../client/function-call.ts'
import { ConnectedApps } from '../../client/react/apps/connected-apps.tsx'
import { useAppLabels } from '../../client/react/labels/use-app-labels.ts'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { integrationsWords } from './integrations/words.ts'
import { CopyLine } from './tokens/copy-line.tsx'

/** The apps that use the user's agents over MCP, and the address for another one. */
export function ConnectedAppsPage() {
  const { askback, supabase, config } = useSession()
  const toast = useToast()
  const words = integrationsWords()
  return (
    <main className="page">
      <PageTitle>{useAppLabels().title}</PageTitle>
      <SettingsHead>{words.appsNote}</SettingsHead>
      <section className="panel" aria-label={words.mcpAddress}>
        <CopyLine
          label={words.mcpAddress}
          text={`${config.url}/functions/v1/${givenPath('mcp', config.functions ?? {})}`}
        />
        <p className="quiet small">{words.mcpNote}</p>
      </section>
      <ConnectedApps askback={askback} auth={supabase.auth} loading={<Skeleton />} onNote={toast} />
    </main>
  )
}
