import { lazy, Suspense } from 'react'
import { Route, Router, Switch, useLocation } from 'wouter'
import { useSession } from './base/session.tsx'
import { ChatPage } from './pages/chat.tsx'
import { leaveWithPage } from './shell/back-closes.tsx'
import { PageErrors } from './shell/page-errors.tsx'
import { PageFocus } from './shell/page-focus.ts'
import { Shell } from './shell/shell.tsx'
import { LoadingPage } from './shell/skeleton.tsx'
import { Toasts } from './shell/toasts.tsx'

const accountLinks = () => import('./pages/account-links.ts')
const LinkQuestion = lazy(() => accountLinks().then(({ LinkQuestion }) => ({ default: LinkQuestion })))
const NewPassword = lazy(() => accountLinks().then(({ NewPassword }) => ({ default: NewPassword })))
const SignIn = lazy(() => import('./pages/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })))
const Settings = lazy(() => import('./pages/settings.tsx').then(({ Settings }) => ({ default: Settings })))
const Agents = lazy(() => import('./pages/agents.tsx').then(({ AgentsPage }) => ({ default: AgentsPage })))
const Archived = lazy(() =>
  import('./pages/archived.tsx').then(({ ArchivedPage }) => ({ default: ArchivedPage })),
)
const Insights = lazy(() =>
  import('./pages/insights.tsx').then(({ InsightsPage }) => ({ default: InsightsPage })),
)
const Waiting = lazy(() =>
  import('./pages/waiting.tsx').then(({ WaitingPage }) => ({ default: WaitingPage })),
)
const OpenItem = lazy(() =>
  import('./pages/open-item.tsx').then(({ OpenItemPage }) => ({ default: OpenItemPage })),
)
const NotFound = lazy(() => import('./shell/not-found.tsx').then(({ NotFound }) => ({ default: NotFound })))
const Inbox = lazy(() => import('./pages/inbox.tsx').then(({ InboxPage }) => ({ default: InboxPage })))

const loading = <LoadingPage />

export function App() {
  return (
    <Router aroundNav={leaveWithPage}>
      <Pages />
    </Router>
  )
}

function Pages() {
  const [path] = useLocation()
  return (
    <PageErrors path={path}>
      <Suspense fallback={loading}>
        <Door path={path} />
      </Suspense>
    </PageErrors>
  )
}

/** Signed out: the sign-in page. Signed in: the other pages. Each is loaded when it is opened, except the chat. */
function Door({ path }: { path: string }) {
  const { session, isRecovering, supabase, config } = useSession()
  if (supabase.unasked) return <LinkQuestion {...supabase.unasked} />
  // Whoever has its link sees this one item, signed in or not.
  if (path === '/open') return <OpenItem />
  if (session === undefined) return loading
  // Users who still have to confirm their address find the mail here, and cannot sign in yet.
  if (session === null && config.local && path === '/inbox')
    return (
      <Toasts>
        <Inbox />
      </Toasts>
    )
  if (session === null) return <SignIn />
  if (isRecovering) return <NewPassword />
  if (path === '/connect') return <Settings />
  return (
    // Nothing of one user stays for the next one, even if another tab signed them in.
    <Toasts key={session.user.id}>
      <Shell>
        <PageErrors path={path}>
          <Suspense fallback={loading}>
            <Switch>
              <Route path="/settings/*" component={Settings} />
              <Route path="/archived" component={Archived} />
              <Route path="/agents" component={Agents} />
              <Route path="/schedules" component={Settings} />
              <Route path="/insights" component={Insights} />
              <Route path="/waiting" component={Waiting} />
              <Route path="/inbox" component={Inbox} />
              <Route path="/chat/:id">{({ id }) => <ChatPage conversationId={id} />}</Route>
              <Route path="/">
                <ChatPage />
              </Route>
              <Route>
                <NotFound />
              </Route>
            </Switch>
            <PageFocus path={path} />
          </Suspense>
        </PageErrors>
      </Shell>
    </Toasts>
  )
}
