import '../styles/pages.css'
import '../styles/insights.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callFunction } from '../../client/function-call.ts'
import { labelOf } from '../../client/sentence.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { amount, duration, type Figure, type Insights, percent, share } from './insights/figures.ts'
import { useNamedTools } from './named-tools.ts'

const Charts = lazy(() => import('./insights/charts.tsx'))
const OperatorArea = lazy(() => import('./insights/operator/operator-area.tsx'))

const ranges = [7, 30, 90]

/** How calls, models and answers went; for operators also what stands still, and tools that are switched off. */
export function InsightsPage() {
  const [days, setDays] = useState(30)
  const { data, error, isPending } = useInsights(days)
  const isOperator = useIsOperator()
  const tools = useNamedTools()
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? labelOf(name)
  const hasAny = data !== undefined && hasAnything(data.total)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <main className="page" tabIndex={0}>
      <PageTitle>Insights</PageTitle>
      <header className="page-head">
        <div>
          <h1>Insights</h1>
          <p className="quiet">How your agents’ calls went. A call counts once, with all its attempts.</p>
        </div>
        <fieldset className="tabs">
          <legend className="hidden">Range</legend>
          {ranges.map((range) => (
            <button key={range} type="button" aria-pressed={range === days} onClick={() => setDays(range)}>
              {range} days
            </button>
          ))}
        </fieldset>
      </header>
      {error && <p role="alert">{error.message}</p>}
      {isPending && <Skeleton kind="tiles" />}
      {data && !hasAny && (
        <p className="empty">No calls in the last {days} days. Ask an agent to do something.</p>
      )}
      {data && hasAny && (
        <>
          <Figures total={data.total} />
          <Suspense fallback={<Skeleton />}>
            <Charts insights={data} titleOf={titleOf} />
          </Suspense>
        </>
      )}
      {isOperator && (
        <Suspense>
          <OperatorArea titleOf={titleOf} />
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
      if (error) throw new Error('Couldn’t load the figures. Try again in a minute.')
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

function Figures({ total }: { total: Figure }) {
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
  const figures = {
    Calls: amount(done + notDone),
    'Denied by you': amount(denied),
    'Right first time': percent(share(firstTry, done + notDone)),
    'Recovered after an error': percent(share(recovered, erred)),
    'Median time to success': duration(medianMs),
    'Model calls per run': amount(share(modelCalls, runs)),
    'Tokens per run': amount(share(tokens, runs)),
    'Model retries': amount(askedAgain),
    'Good answers': amount(good),
    'Bad answers': amount(bad),
  }
  return (
    <dl className="figures">
      {Object.entries(figures).map(([name, value]) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
