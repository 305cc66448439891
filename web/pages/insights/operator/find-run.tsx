import { type FormEvent, useState } from 'react'
import type { OperatorRun } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { useOperatorCall } from './operator-calls.ts'
import { RunRow } from './run-row.tsx'
import { operatorWords } from './words.ts'

/** Finds runs by their own id or by their conversation's id, which is in its URL. */
export function FindRun({ titleOf }: { titleOf(tool: string): string }) {
  const call = useOperatorCall()
  const words = operatorWords()
  const [runs, setRuns] = useState<OperatorRun[]>()
  const [problem, setProblem] = useState<string>()
  const find = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sought = String(new FormData(event.currentTarget).get('id')).trim()
    setProblem(undefined)
    setRuns(undefined)
    try {
      const found = await call<{ runs: OperatorRun[] }>('GET', `runs?find=${encodeURIComponent(sought)}`)
      setRuns(found.runs)
    } catch (error) {
      setProblem(failureSentence(error))
    }
  }
  return (
    <section className="panel" aria-label={words.findRun}>
      <h3>{words.findRun}</h3>
      <form className="find" onSubmit={find}>
        <label>
          {words.anId}
          <input name="id" required maxLength={64} autoComplete="off" spellCheck={false} />
        </label>
        <button type="submit">{words.find}</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
      <div role="status">{runs?.length === 0 && <p className="quiet">{words.notFound}</p>}</div>
      {runs !== undefined && runs.length > 0 && (
        <ul className="rows">
          {runs.map((run) => (
            <li key={run.runId}>
              <RunRow run={run} titleOf={titleOf} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
