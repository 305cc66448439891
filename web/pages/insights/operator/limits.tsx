import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UsageLimit } from '../../../../client/api/types.ts'
import { showNumber } from '../../../../shared/words/locale.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { describeLimit } from './describe-limit.ts'
import { LimitForm } from './limit-form.tsx'
import { useOperatorCall } from './operator-calls.ts'
import { operatorWords } from './words.ts'

export function useLimits() {
  const call = useOperatorCall()
  return useQuery({
    queryKey: ['operator', 'limits'],
    queryFn: () => call<{ limits: UsageLimit[] }>('GET', 'limits'),
  })
}

/** How much everybody may use, and who may use more or less. */
export function Limits() {
  const { data, error } = useLimits()
  const words = operatorWords()
  return (
    <section className="panel" aria-label={words.limits}>
      <h3>{words.limits}</h3>
      <p className="quiet small">{words.limitsNote}</p>
      {error && <p role="alert">{failureSentence(error)}</p>}
      <ul className="rows">
        {data?.limits.map((limit) => (
          <LimitRow
            key={[limit.scope, limit.subject, limit.measure, limit.per, limit.tool].join(' ')}
            limit={limit}
          />
        ))}
      </ul>
    </section>
  )
}

function LimitRow({ limit }: { limit: UsageLimit }) {
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const words = operatorWords()
  const [isChanging, setChanging] = useState(false)
  const name = describeLimit(limit)
  const change = async (to: { value: number | null; subject: string | null; reason: string }) => {
    await call('PUT', 'limits', { ...limit, ...to })
    toast(words.limitChanged)
    setChanging(false)
    await queries.invalidateQueries({ queryKey: ['operator', 'limits'] })
  }
  return (
    <li className="run-row">
      <div>
        <strong>{name}</strong>
        <p>{showNumber(limit.value)}</p>
        {limit.subject !== null && <p className="quiet small">{words.onlyFor(limit.subject)}</p>}
      </div>
      {isChanging ? (
        <LimitForm limit={limit} name={name} onSend={change} onCancel={() => setChanging(false)} />
      ) : (
        <button type="button" aria-label={words.changeThis(name)} onClick={() => setChanging(true)}>
          {words.change}
        </button>
      )}
    </li>
  )
}
