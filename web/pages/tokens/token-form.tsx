import { type FormEvent, useState } from 'react'
import type { AgentModel, NewApiToken } from '../../../client/api-token.ts'

const day = 24 * 60 * 60 * 1000
const lifetimes = [
  { id: '30', words: 'In 30 days', days: 30 },
  { id: '90', words: 'In 90 days', days: 90 },
  { id: '365', words: 'In a year', days: 365 },
  { id: 'never', words: 'Never', days: undefined },
]

/** What a token is to be: its name, the agents it opens, how long it lasts. */
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
  const [isForAll, setForAll] = useState(true)
  const [problem, setProblem] = useState('')

  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    const chosen = form.getAll('agent').map(String)
    if (name === '') return setProblem('Give the token a name, such as the app that will use it.')
    if (!isForAll && chosen.length === 0) return setProblem('Choose at least one agent.')
    setProblem('')
    const days = lifetimes.find(({ id }) => id === form.get('lifetime'))?.days
    onMake({
      name,
      ...(isForAll ? {} : { agents: chosen }),
      ...(days === undefined ? {} : { expiresAt: new Date(Date.now() + days * day).toISOString() }),
    })
  }

  return (
    <form className="panel stack" aria-label="New token" noValidate onSubmit={make}>
      <h2>New token</h2>
      <label>
        Name
        <input name="name" maxLength={200} placeholder="Open WebUI" autoComplete="off" required />
      </label>
      <fieldset className="choices">
        <legend>Agents</legend>
        <label>
          <input type="radio" name="scope" checked={isForAll} onChange={() => setForAll(true)} />
          All, including new ones
        </label>
        <label>
          <input type="radio" name="scope" checked={!isForAll} onChange={() => setForAll(false)} />
          Only some
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
        Expires
        <select name="lifetime" defaultValue="90">
          {lifetimes.map(({ id, words }) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(problem || failure) && (
        <p role="alert" className="problem">
          {problem || failure}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={isBusy}>
          Create token
        </button>
      </div>
    </form>
  )
}
