import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useToast } from '../../../shell/toasts.tsx'
import { type AppFunction, useOperatorCall } from './operator-calls.ts'

/** Functions of the app's own database, which can be tools of every agent. */
export function FunctionOffers() {
  const call = useOperatorCall()
  const { data, error } = useQuery({
    queryKey: ['operator', 'functions'],
    queryFn: () => call<{ functions: AppFunction[] }>('GET', 'functions'),
  })
  return (
    <section className="panel" aria-label="Functions of your app">
      <h3>Functions of your app</h3>
      <p className="quiet small">
        Postgres functions you can offer to agents. They run with the rights of the user who asks.
      </p>
      {error && <p role="alert">{error.message}</p>}
      {data?.functions.length === 0 && (
        <p className="quiet">Your database has no functions that the data API serves.</p>
      )}
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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const change = async (method: 'PUT' | 'DELETE') => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(method, `functions/${encodeURIComponent(name)}`, method === 'PUT' ? {} : undefined)
      toast(method === 'PUT' ? `Agents can use ${name} now.` : `Agents can no longer use ${name}.`)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['operator'] }),
        queries.invalidateQueries({ queryKey: ['tools'] }),
      ])
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return (
    <li className="run-row">
      <div>
        <strong>{name}</strong>
        <span className="quiet small"> ({one.arguments})</span>
        <p className="quiet small">
          {description ?? 'No description.'} {effect === 'read' ? 'Read-only.' : 'Asks first.'}
        </p>
        {changed && (
          <p className="problem small">
            Changed since it was offered, so agents can’t use it. Offer it again.
          </p>
        )}
        {refused && <p className={tool ? 'problem small' : 'quiet small'}>{refused}</p>}
        {problem && <p role="alert">{problem}</p>}
      </div>
      <div className="actions">
        {!refused && (tool === null || changed) && (
          <button type="button" disabled={isBusy} onClick={() => void change('PUT')}>
            {tool === null ? 'Offer' : 'Offer again'}
            <span className="hidden"> {name}</span>
          </button>
        )}
        {tool !== null && (
          <button type="button" disabled={isBusy} onClick={() => void change('DELETE')}>
            Withdraw<span className="hidden"> {name}</span>
          </button>
        )}
      </div>
    </li>
  )
}
