import '../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { labelOf } from '../../client/sentence.ts'
import { useTools } from '../queries.ts'
import { useSession } from '../session.tsx'
import { DayChart } from './insights/day-chart.tsx'
import { type Execution, summarise, type Usage } from './insights/summary.ts'

/** Rows that are read: the newest. */
const mostRows = 1000

/** How calls went: at which attempt, with which errors, how often they recovered, and what the models used. */
export function InsightsPage() {
  const { supabase } = useSession()
  const tools = useTools()
  const { data, error, isPending } = useQuery({
    queryKey: ['insights'],
    async queryFn() {
      const [executions, usage] = await Promise.all([
        supabase
          .schema('askback')
          .from('tool_executions')
          .select('session_id, run_id, tool_name, attempt, status, error_type, created_at, settled_at')
          .order('created_at', { ascending: false })
          .limit(mostRows),
        supabase
          .schema('askback')
          .from('llm_usage')
          .select('run_id, input_tokens, output_tokens, created_at')
          .order('created_at', { ascending: false })
          .limit(mostRows),
      ])
      if (executions.error || usage.error)
        throw new Error('The figures cannot be read. Try again in a minute.')
      return summarise(executions.data as Execution[], usage.data as Usage[])
    },
  })
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? labelOf(name)
  const hasAny = data !== undefined && data.sessions > 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <main className="page" tabIndex={0}>
      <title>Insights · Askback</title>
      <header>
        <h1>Insights</h1>
        <p className="quiet">How your agents’ calls went. One call with all its attempts counts once.</p>
      </header>
      {error && <p role="alert">{error.message}</p>}
      {isPending && <p className="quiet">Loading …</p>}
      {data && !hasAny && <p className="empty">Nothing was called yet. Ask an agent to do something.</p>}
      {data && hasAny && (
        <>
          <dl className="figures">
            <Figure name="Calls" value={String(data.sessions)} />
            <Figure name="Right at the first attempt" value={percent(data.firstTry)} />
            <Figure name="Recovered after an error" value={percent(data.recovered)} />
            <Figure
              name="Median time to success"
              value={data.medianMs === null ? '–' : seconds(data.medianMs)}
            />
            <Figure name="Model calls per run" value={data.modelCallsPerRun.toFixed(1)} />
            <Figure name="Tokens per run" value={Math.round(data.tokensPerRun).toLocaleString('en')} />
          </dl>
          <section aria-label="Calls by day">
            <h2>By day</h2>
            <DayChart days={data.days} />
          </section>
          <section aria-label="Success by attempt">
            <h2>Success by attempt</h2>
            <Table
              head={['Attempt', 'Calls', 'Succeeded']}
              rows={data.attempts.map(({ attempt, calls, succeeded }) => [
                String(attempt),
                String(calls),
                percent(calls === 0 ? null : succeeded / calls),
              ])}
            />
          </section>
          <section aria-label="Errors">
            <h2>Errors</h2>
            {data.errors.length === 0 ? (
              <p className="quiet">None.</p>
            ) : (
              <Table
                head={['Error', 'Tool', 'Count']}
                rows={data.errors.map(({ type, tool, count }) => [
                  labelOf(type),
                  titleOf(tool),
                  String(count),
                ])}
              />
            )}
          </section>
        </>
      )}
    </main>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Table({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <div className="scroll-x">
      <table className="data-table">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
