import { useQuery } from '@tanstack/react-query'
import type { Moment, OperatorRun } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { showDate } from '../../../base/locale.ts'
import { Skeleton } from '../../../shell/skeleton.tsx'
import { duration } from '../figures.ts'
import { describeMoment } from './describe-moment.ts'
import { useOperatorCall } from './operator-calls.ts'
import { operatorWords } from './words.ts'

/** The events of a run, in order. */
export function Timeline({ run, titleOf }: { run: OperatorRun; titleOf(tool: string): string }) {
  const call = useOperatorCall()
  const words = operatorWords()
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'run', run.runId],
    queryFn: () => call<{ run: OperatorRun; timeline: Moment[] }>('GET', `runs/${run.runId}`),
    // Every look is logged.
    refetchOnWindowFocus: false,
  })
  if (error) return <p role="alert">{failureSentence(error)}</p>
  if (isPending) return <Skeleton />
  return (
    <div className="trial">
      <dl className="facts">
        <div>
          <dt>{words.user}</dt>
          <dd className="ids">{data.run.userId}</dd>
        </div>
      </dl>
      <ol className="timeline" aria-label={words.timelineOf(run.runId)}>
        {data.timeline
          .filter(({ type }) => type !== 'step-start')
          .map((moment, index) => {
            const { what, more, tone } = describeMoment(moment, titleOf)
            return (
              <li key={index} data-tone={tone}>
                <time dateTime={moment.at}>{showDate(moment.at, 'milliseconds')}</time>
                <div className="what">
                  {what}
                  {more.length > 0 && <p className="quiet small">{more.join(' · ')}</p>}
                </div>
                <span className="took">
                  {moment.durationMs === undefined ? '' : duration(moment.durationMs)}
                </span>
              </li>
            )
          })}
      </ol>
    </div>
  )
}
