import { useQuery } from '@tanstack/react-query'
import type { StuckWork } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { showDate } from '../../../base/locale.ts'
import { useOperatorCall } from './operator-calls.ts'
import { RunRow } from './run-row.tsx'
import { operatorWords } from './words.ts'

/** Runs that will not continue by themselves. Loaded on request, because every look is logged. */
export function StuckRuns({ titleOf }: { titleOf(tool: string): string }) {
  const call = useOperatorCall()
  const words = operatorWords()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['operator', 'stuck'],
    queryFn: () => call<StuckWork>('GET', 'stuck'),
    enabled: false,
  })
  const isClear = data !== undefined && data.runs.length === 0 && data.writes.length === 0
  return (
    <section className="panel" aria-label={words.stuckRuns}>
      <div className="page-head">
        <h3>{words.stuckRuns}</h3>
        <button type="button" disabled={isFetching} onClick={() => void refetch()}>
          {data === undefined ? words.lookForStuck : words.lookAgain}
        </button>
      </div>
      {error && <p role="alert">{failureSentence(error)}</p>}
      <div role="status">{isClear && <p className="quiet">{words.noneStuck}</p>}</div>
      {data !== undefined && data.runs.length > 0 && (
        <ul className="rows">
          {data.runs.map((run) => (
            <li key={run.runId}>
              <RunRow run={run} titleOf={titleOf} />
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.writes.length > 0 && (
        <>
          <p className="small">{words.unknownWrites}</p>
          <ul className="rows">
            {data.writes.map(({ runId, toolName, startedAt }) => (
              <li key={`${runId} ${startedAt}`} className="run-row">
                <div>
                  <strong>{titleOf(toolName)}</strong>{' '}
                  <span className="quiet small">{showDate(startedAt, 'moment')}</span>
                  <p className="quiet ids">{runId ?? words.withoutRun}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
