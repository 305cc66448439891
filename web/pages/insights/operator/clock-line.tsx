import { useQuery } from '@tanstack/react-query'
import type { ClockState } from '../../../../client/api/types.ts'
import { callFunction } from '../../../../client/function-call.ts'
import { showDate } from '../../../base/locale.ts'
import { useSession } from '../../../base/session.tsx'
import { operatorWords } from './words.ts'

/** When the clock that continues waiting runs last called, and what is wrong with it. */
export function ClockLine() {
  const { supabase } = useSession()
  const words = operatorWords()
  const { data } = useQuery({
    queryKey: ['operator', 'clock'],
    queryFn: () => callFunction<{ clock?: ClockState }>(supabase, 'GET', 'chat/health'),
  })
  if (!data?.clock) return null
  const { cameAt, trouble } = data.clock
  const came = cameAt === null ? [] : [words.clockCame(showDate(cameAt, 'moment'))]
  if (trouble === null) return <p className="quiet small">{came[0] ?? words.clockIdle}</p>
  return (
    <p role="alert" className="problem">
      {[words.clockTroubles[trouble], ...came].join(' ')}
    </p>
  )
}
