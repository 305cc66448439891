import { callFunction, type Method } from '../../../../client/function-call.ts'
import { useSession } from '../../../base/session.tsx'

/** Calls the routes below `chat/operator` as the signed-in user. Rejects with a sentence. */
export function useOperatorCall() {
  const { supabase } = useSession()
  return <Answer>(method: Method, path: string, body?: object) =>
    callFunction<Answer>(supabase, method, `chat/operator/${path}`, body)
}
