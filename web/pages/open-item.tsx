import '../styles/pages.css'
import { lazy, useEffect, useState } from 'react'
import { useLabels } from '../../client/react/labels/use-labels.ts'
import { OpenItem } from '../../client/react/open-item/open-item.tsx'
import { useSession } from '../base/session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { LoadingPage } from '../shell/skeleton.tsx'

const SignIn = lazy(() => import('./sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })))

/** The item of the link in the address, without the app around it: `/open#<token>`. */
export function OpenItemPage() {
  const { askback, session, signOut } = useSession()
  const { openItem } = useLabels()
  const token = useFragment()
  const [isSigningIn, setSigningIn] = useState(false)
  if (session === undefined) return <LoadingPage />
  if (session === null && isSigningIn) return <SignIn />
  return (
    <main className="page narrow open-page">
      <PageTitle>{openItem.title}</PageTitle>
      <OpenItem
        key={token}
        askback={askback}
        token={token}
        settingsHref="/settings/integrations"
        userId={session?.user.id}
        onSignIn={() => {
          setSigningIn(true)
          if (session) void signOut()
        }}
      />
    </main>
  )
}

function useFragment(): string {
  const read = () => location.hash.slice(1)
  const [fragment, setFragment] = useState(read)
  useEffect(() => {
    const change = () => setFragment(read())
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return fragment
}
