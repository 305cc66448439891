import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import '../styles/insights.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callFunction } from '../../client/function-call.ts'
import { labelOf } from '../../client/values/sentence.ts'
import { useRefusal, useTools } from '../base/queries.ts'
import { useSession } from '../base/session.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { amount, duration, type Figure, type Insights, percent, share } from './insights/figures.ts'
import { Figures } from './insights/figures.tsx'
import { insightsWords } from './insights/words.ts'

const Charts = lazy(() => import('./insights/charts.tsx'))
const OperatorArea = lazy(() => import('./insights/operator/operator-area.tsx'))

const ranges = [7, 30, 90]

/** Statistics of calls, models and answers; for operators also stuck runs and tools that are switched off. */
export function InsightsPage() {
  const words = insightsWords()
  const [days, setDays] = useState(30)
  const { data, error: notLoaded, isPending } = useInsights(days)
  const refusal = useRefusal()
  const error = notLoaded ?? refusal
  const isOperator = useIsOperator()
  const tools = useTools()
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? labelOf(name)
  const hasAny = data !== undefined && hasAnything(data.total)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <main className="page" aria-label={words.title} tabIndex={0}>
      <PageHead title={words.title} note={words.note}>
        <fieldset className="tabs">
          <legend className="hidden">{words.range}</legend>
          {ranges.map((range) => (
            <button key={range} type="button" aria-pressed={range === days} onClick={() => setDays(range)}>
              {words.days(range)}
            </button>
          ))}
        </fieldset>
      </PageHead>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {isPending ? (
        <Skeleton kind="tiles" />
      ) : (
        // One after the other: nothing moves away from a finger that presses.
        <Suspense fallback={<Skeleton />}>
          {data && !hasAny && !error && <p className="empty">{words.none(days)}</p>}
          {data && hasAny && (
            <>
              <Totals total={data.total} />
              <Charts insights={data} titleOf={titleOf} />
            </>
          )}
          {isOperator && (
            <Suspense>
              <OperatorArea days={days} titleOf={titleOf} />
            </Suspense>
          )}
        </Suspense>
      )}
    </main>
  )
}

function useInsights(days: number) {
  const { supabase } = useSession()
  return useQuery({
    queryKey: ['insights', days],
    placeholderData: keepPreviousData,
    async queryFn(): Promise<Insights> {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const asked = { p_days: days, p_time_zone: zone.startsWith('Etc/') ? 'UTC' : zone }
      const { data, error } = await supabase.schema('askback').rpc('insights', asked)
      if (error) throw new Error(insightsWords().notLoaded)
      return data as Insights
    },
  })
}

function useIsOperator(): boolean {
  const { supabase } = useSession()
  const { data } = useQuery({
    queryKey: ['operator'],
    staleTime: 300_000,
    queryFn: () => callFunction<{ isOperator: boolean }>(supabase, 'GET', 'chat/operator'),
  })
  return data?.isOperator ?? false
}

function hasAnything({ done, notDone, denied, modelCalls, good, bad }: Figure): boolean {
  return done + notDone + denied + modelCalls + good + bad > 0
}

function Totals({ total }: { total: Figure }) {
  const {
    done,
    notDone,
    denied,
    firstTry,
    erred,
    recovered,
    medianMs,
    runs,
    modelCalls,
    tokens,
    askedAgain,
    good,
    bad,
  } = total
  const words = insightsWords()
  const figures = {
    [words.calls]: amount(done + notDone),
    [words.denied]: amount(denied),
    [words.firstTry]: percent(share(firstTry, done + notDone)),
    [words.recovered]: percent(share(recovered, erred)),
    [words.median]: duration(medianMs),
    [words.modelCalls]: amount(share(modelCalls, runs)),
    [words.tokens]: amount(share(tokens, runs)),
    [words.askedAgain]: amount(askedAgain),
    [words.goodAnswers]: amount(good),
    [words.badAnswers]: amount(bad),
  }
  return <Figures figures={figures} />
}
