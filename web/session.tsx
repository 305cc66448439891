import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { type Askback, createAskback } from '../client/askback.ts'
import type { Config } from './config.ts'
import type { Session, Supabase } from './supabase.ts'

interface AppSession {
  config: Config
  supabase: Supabase
  askback: Askback
  /** null: nobody is signed in; undefined: not known yet. */
  session: Session | null | undefined
  /** The user came by a link of a forgotten password. */
  isRecovering: boolean
}

const SessionContext = createContext<AppSession | undefined>(undefined)

/** Who is signed in, for everything below it. */
export function SessionProvider({
  config,
  supabase,
  children,
}: {
  config: Config
  supabase: Supabase
  children: ReactNode
}) {
  const askback = useMemo(() => createAskback(supabase), [supabase])
  const queries = useQueryClient()
  const [session, setSession] = useState<Session | null>()
  const [isRecovering, setRecovering] = useState(false)
  const userId = useRef<string>(undefined)
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((event, next) => {
      setSession((before) => (before?.access_token === next?.access_token ? (before ?? next) : next))
      setRecovering((before) => event === 'PASSWORD_RECOVERY' || (before && event !== 'USER_UPDATED'))
      // Nothing of one user is shown to the next, who may have signed in in another tab.
      if (userId.current !== next?.user.id) queries.clear()
      userId.current = next?.user.id
    })
    return () => data.subscription.unsubscribe()
  }, [supabase, queries])
  const value = useMemo(
    () => ({ config, supabase, askback, session, isRecovering }),
    [config, supabase, askback, session, isRecovering],
  )
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}

export function useSession(): AppSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionProvider.')
  return session
}
