import { useQuery } from '@tanstack/react-query'
import { callFunction } from '../../client/function-call.ts'
import { useSession } from './session.tsx'

/** Whether the user may do what operators do; false until it is known. */
export function useIsOperator(): boolean {
  const { supabase } = useSession()
  const { data } = useQuery({
    queryKey: ['operator'],
    staleTime: 300_000,
    queryFn: () => callFunction<{ isOperator: boolean }>(supabase, 'GET', 'chat/operator'),
  })
  return data?.isOperator ?? false
}
