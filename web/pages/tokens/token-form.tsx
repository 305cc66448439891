import { type FormEvent, useState } from 'react'
import type { AgentModel, NewApiToken } from '../../../client/api/api-token.ts'
import { Problem } from '../../../client/react/forms/problem.tsx'
import { tokensWords } from './words.ts'

const day = 24 * 60 * 60 * 1000
const lifetimes = [30, 90, 365]

/** A new token: its name, its agents and when it expires. */
export function TokenForm({
  agents,
  isBusy,
  failure,
  onMake,
}: {
  agents: AgentModel[]
  isBusy: boolean
  failure: string
  onMake(token: NewApiToken): void
}) {
  const words = tokensWords()
  const [isForAll, setForAll] = useState(true)
  const [problem, setProblem] = useState('')

  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    const chosen = form.getAll('agent').map(String)
    if (name === '') return setProblem(words.nameMissing)
    if (!isForAll && chosen.length === 0) return setProblem(words.agentMissing)
    setProblem('')
    const days = Number(form.get('lifetime'))
    onMake({
      name,
      agents: isForAll ? undefined : chosen,
      expiresAt: days === 0 ? undefined : new Date(Date.now() + days * day).toISOString(),
    })
  }

  return (
    <form className="panel stack" aria-label={words.newToken} noValidate onSubmit={make}>
      <h2>{words.newToken}</h2>
      <label>
        {words.name}
        <input name="name" dir="auto" maxLength={200} placeholder="Open WebUI" autoComplete="off" required />
      </label>
      <fieldset className="choices">
        <legend>{words.agents}</legend>
        <label>
          <input type="radio" name="scope" checked={isForAll} onChange={() => setForAll(true)} />
          {words.all}
        </label>
        <label>
          <input type="radio" name="scope" checked={!isForAll} onChange={() => setForAll(false)} />
          {words.some}
        </label>
        {!isForAll && (
          <div className="choices inner">
            {agents.map(({ id, name }) => (
              <label key={id}>
                <input type="checkbox" name="agent" value={id} />
                {name}
              </label>
            ))}
          </div>
        )}
      </fieldset>
      <label>
        {words.expires}
        <select name="lifetime" defaultValue="90">
          {lifetimes.map((days) => (
            <option key={days} value={days}>
              {days === 365 ? words.inAYear : words.inDays(days)}
            </option>
          ))}
          <option value="">{words.never}</option>
        </select>
      </label>
      <Problem>{problem || failure}</Problem>
      <div className="actions">
        <button type="submit" className="primary" disabled={isBusy}>
          {words.create}
        </button>
      </div>
    </form>
  )
}
