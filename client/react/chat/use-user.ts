import { useEffect, useState } from 'react'
import type { Askback } from '../../askback.ts'

/**
 * The id of the user who is signed in; null if nobody is, undefined until that is known.
 *
 * @param given What the app says of it; undefined if it leaves that to `supabase.auth`.
 */
export function useUser(askback: Askback, given: string | null | undefined): string | null | undefined {
  const [found, setFound] = useState<string | null>()
  const isGiven = given !== undefined
  useEffect(() => (isGiven ? undefined : askback.followUser(setFound)), [askback, isGiven])
  return given === undefined ? found : given
}
