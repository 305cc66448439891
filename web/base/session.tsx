import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { navigate } from 'wouter/use-browser-location'
import { type Askback, createAskback } from '../../client/askback.ts'
import { createKeptStore } from '../../client/kept-store.ts'
import { KeptProvider } from '../../client/react/forms/use-kept.ts'
import type { Config } from './config.ts'
import { frameWords } from './frame-words.ts'
import type { Session, Supabase } from './supabase.ts'

interface AppSession {
  config: Config
  supabase: Supabase
  askback: Askback
  /** null: nobody is signed in; undefined: not known yet. */
  session: Session | null | undefined
  /** The user came through a password reset link. */
  isRecovering: boolean
  /** A message for users who were signed out, shown on the sign-in page; undefined before anybody was signed in here. */
  signInNotice: string | undefined
  /** Signs out on this device, or on all of them, with an optional message. */
  signOut(options?: { words?: string; everywhere?: boolean }): Promise<void>
}

const SessionContext = createContext<AppSession | undefined>(undefined)
/** Set until a new password is chosen, even after a reload: nobody knows the old one. */
const recovering = 'askback-recovering'

/** Provides the session to everything below it. */
export function SessionProvider({
  config,
  supabase,
  linkFailure,
  children,
}: {
  config: Config
  supabase: Supabase
  /** Why the link from a mail could not be used. */
  linkFailure: string | undefined
  children: ReactNode
}) {
  const askback = useMemo(() => createAskback(supabase, config), [supabase, config])
  const queries = useQueryClient()
  const [session, setSession] = useState<Session | null | undefined>(supabase.kept)
  const [isRecovering, setRecovering] = useState(sessionStorage.getItem(recovering) !== null)
  const [signInNotice, setSignInNotice] = useState(linkFailure)
  /** The message of a sign-out that the user requested here. */
  const asked = useRef<string>(undefined)
  const userId = useRef(supabase.kept?.user.id)
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((event, next) => {
      const change = () =>
        setSession((before) => (before?.access_token === next?.access_token ? (before ?? next) : next))
      // As a transition the sign-in page is shown once it is there; a placeholder of its own React keeps for 0.3 s.
      if (event === 'INITIAL_SESSION') startTransition(change)
      else change()
      if (event === 'PASSWORD_RECOVERY') {
        sessionStorage.setItem(recovering, 'yes')
        setRecovering(true)
      } else if (event === 'USER_UPDATED' || event === 'SIGNED_OUT') {
        sessionStorage.removeItem(recovering)
        setRecovering(false)
      }
      // Don't show one user's data to the next, who may have signed in in another tab.
      if (userId.current !== next?.user.id) queries.clear()
      userId.current = next?.user.id
      if (event === 'SIGNED_IN') setSignInNotice('')
      if (event !== 'SIGNED_OUT') return
      setSignInNotice(asked.current ?? frameWords().signedOut)
      // The next user may be somebody else; a user who was signed out unasked returns to this page.
      if (asked.current !== undefined) navigate('/', { replace: true })
      asked.current = undefined
    })
    return () => data.subscription.unsubscribe()
  }, [supabase, queries])
  const value = useMemo(
    () => ({
      config,
      supabase,
      askback,
      session,
      isRecovering,
      signInNotice,
      async signOut({ words = '', everywhere = false } = {}) {
        asked.current = words
        const { error } = await supabase.auth.signOut({ scope: everywhere ? 'global' : 'local' })
        if (!error) return
        asked.current = undefined
        throw error
      },
    }),
    [config, supabase, askback, session, isRecovering, signInNotice],
  )
  const id = session?.user.id
  const kept = useMemo(() => (id === undefined ? undefined : createKeptStore(id)), [id])
  return (
    <SessionContext.Provider value={value}>
      <KeptProvider value={kept}>{children}</KeptProvider>
    </SessionContext.Provider>
  )
}

export function useSession(): AppSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionProvider.')
  return session
}
