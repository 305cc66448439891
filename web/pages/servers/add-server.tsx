import { type FormEvent, useRef, useState } from 'react'
import type { NewMcpServer } from '../../../client/api/types.ts'
import { Problem } from '../../../client/react/forms/problem.tsx'
import { failureSentence } from '../../base/failure-sentence.ts'
import { serversWords } from './words.ts'

/** A server by its address; folded, what few of them need. */
export function AddServer({
  isOperator,
  onAdd,
}: {
  isOperator: boolean
  onAdd(server: NewMcpServer): Promise<void>
}) {
  const words = serversWords()
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const textOf = (name: string) => String(given.get(name) ?? '').trim()
    const [header, value] = [textOf('header'), textOf('value')]
    setBusy(true)
    setFailure('')
    try {
      await onAdd({
        url: textOf('url'),
        name: textOf('name') || undefined,
        scope: given.get('everybody') === 'on' ? 'project' : 'user',
        headers: header && value ? { [header]: value } : undefined,
      })
      form.current?.reset()
    } catch (error) {
      setFailure(failureSentence(error))
    }
    setBusy(false)
  }
  return (
    <form
      ref={form}
      className="panel stack"
      aria-label={words.add}
      noValidate
      onSubmit={(event) => void add(event)}
    >
      <h2>{words.add}</h2>
      <label>
        {words.url}
        <input
          name="url"
          type="url"
          maxLength={2000}
          placeholder="https://mcp.example.com/mcp"
          autoComplete="off"
          required
        />
      </label>
      <details>
        <summary>{words.more}</summary>
        <div className="stack">
          <label>
            {words.header}
            <input name="header" maxLength={200} placeholder="Authorization" autoComplete="off" />
          </label>
          <label>
            {words.value}
            <input name="value" type="password" maxLength={8000} autoComplete="off" />
          </label>
          <p className="quiet small">{words.valueNote}</p>
          <label>
            {words.name}
            <input name="name" maxLength={24} placeholder="example" autoComplete="off" />
          </label>
          <p className="quiet small">{words.nameNote}</p>
        </div>
      </details>
      {isOperator && (
        <fieldset className="choices">
          <label>
            <input type="checkbox" name="everybody" />
            {words.forEverybody}
          </label>
        </fieldset>
      )}
      <Problem>{failure}</Problem>
      <div className="actions">
        <button type="submit" className="primary" disabled={isBusy}>
          {words.addIt}
        </button>
      </div>
    </form>
  )
}
