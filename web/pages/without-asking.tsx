import '../styles/pages.css'
import { useLabels } from '../../client/react/labels/use-labels.ts'
import { WithoutAsking } from '../../client/react/settings/without-asking.tsx'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { SettingsHead } from './integrations/settings-head.tsx'
import { integrationsWords } from './integrations/words.ts'

/** All that agents and clients do without asking, to be taken back. */
export function WithoutAskingPage() {
  const { askback } = useSession()
  const toast = useToast()
  return (
    <main className="page">
      <PageTitle>{useLabels().withoutAsking}</PageTitle>
      <SettingsHead>{integrationsWords().unaskedNote}</SettingsHead>
      <WithoutAsking askback={askback} loading={<Skeleton />} onNote={toast} />
    </main>
  )
}
