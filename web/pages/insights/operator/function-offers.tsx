import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppFunction } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { useOperatorCall } from './operator-calls.ts'
import { operatorWords } from './words.ts'

/** The functions of the app's own database that can be offered to agents as tools. */
export function FunctionOffers() {
  const call = useOperatorCall()
  const words = operatorWords()
  const { data, error } = useQuery({
    queryKey: ['operator', 'functions'],
    queryFn: () => call<{ functions: AppFunction[] }>('GET', 'functions'),
  })
  return (
    <section className="panel" aria-label={words.functions}>
      <h3>{words.functions}</h3>
      <p className="quiet small">{words.functionsNote}</p>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {data?.functions.length === 0 && <p className="quiet">{words.noFunctions}</p>}
      {data !== undefined && data.functions.length > 0 && (
        <ul className="rows">
          {data.functions.map((one) => (
            <FunctionOffer key={`${one.name}(${one.arguments})`} one={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function FunctionOffer({ one }: { one: AppFunction }) {
  const { name, description, effect, tool, refused, changed } = one
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const words = operatorWords()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const change = async (method: 'PUT' | 'DELETE') => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(method, `functions/${encodeURIComponent(name)}`, method === 'PUT' ? {} : undefined)
      toast(method === 'PUT' ? words.offered(name) : words.withdrawn(name))
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['operator'] }),
        queries.invalidateQueries({ queryKey: ['tools'] }),
      ])
    } catch (error) {
      setProblem(failureSentence(error))
    }
    setBusy(false)
  }
  return (
    <li className="run-row">
      <div>
        <strong>{name}</strong>
        <span className="quiet small"> ({one.arguments})</span>
        <p className="quiet small">
          {description ?? words.noDescription} {effect === 'read' ? words.readOnly : words.asksFirst}
        </p>
        {changed && <p className="problem small">{words.changed}</p>}
        {refused && <p className={tool ? 'problem small' : 'quiet small'}>{refused}</p>}
        {problem && <p role="alert">{problem}</p>}
      </div>
      <div className="actions">
        {!refused && (tool === null || changed) && (
          <button
            type="button"
            aria-label={tool === null ? words.offerThis(name) : words.offerAgainThis(name)}
            disabled={isBusy}
            onClick={() => void change('PUT')}
          >
            {tool === null ? words.offer : words.offerAgain}
          </button>
        )}
        {tool !== null && (
          <button
            type="button"
            aria-label={words.withdrawThis(name)}
            disabled={isBusy}
            onClick={() => void change('DELETE')}
          >
            {words.withdraw}
          </button>
        )}
      </div>
    </li>
  )
}
