import '../styles/pages.css'
import { useLocation } from 'wouter'
import { useScheduleLabels } from '../../client/react/labels/use-schedule-labels.ts'
import { Schedules } from '../../client/react/schedules/schedules.tsx'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'

/** Agents that begin by the clock. */
export function SchedulesPage() {
  const { askback } = useSession()
  const toast = useToast()
  const words = useScheduleLabels()
  const [, navigate] = useLocation()
  const hrefOf = (conversationId: string) => `/chat/${conversationId}`
  return (
    <main className="page">
      <PageTitle>{words.title}</PageTitle>
      <h1>{words.title}</h1>
      <p className="quiet">{words.note}</p>
      <Schedules
        askback={askback}
        loading={<Skeleton />}
        hrefOf={hrefOf}
        onOpen={(id) => navigate(hrefOf(id))}
        onNote={toast}
      />
    </main>
  )
}
