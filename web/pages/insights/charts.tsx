import { labelOf } from '../../../client/sentence.ts'
import { ChartFigure } from './chart.tsx'
import { amount, dayName, duration, type Figure, type Insights, percent, share } from './figures.ts'

/** Everything over time, and what went wrong. Loaded with the library that draws it. */
export default function Charts({ insights, titleOf }: { insights: Insights; titleOf(tool: string): string }) {
  const { days, attempts, errors } = insights
  const overTime = { unit: 'Day', labels: days.map(({ day }) => dayName(day)) }
  const each = (read: (figure: Figure) => number | null) => days.map(read)
  return (
    <div className="charts">
      <div className="chart-wide">
        <ChartFigure
          title="Calls by day"
          {...overTime}
          format={amount}
          series={[
            { name: 'Done', tone: 'accent', values: each(({ done }) => done) },
            { name: 'Not done', tone: 'problem', values: each(({ notDone }) => notDone) },
          ]}
        />
      </div>
      <ChartFigure
        title="Right first time, or recovered"
        kind="line"
        {...overTime}
        format={percent}
        series={[
          {
            name: 'Right first time',
            tone: 'accent',
            values: each(({ firstTry, done, notDone }) => share(firstTry, done + notDone)),
          },
          {
            name: 'Recovered after an error',
            tone: 'quiet',
            values: each(({ recovered, erred }) => share(recovered, erred)),
          },
        ]}
      />
      <ChartFigure
        title="Success by attempt"
        unit="Attempt"
        labels={attempts.map(({ attempt }) => `Attempt ${attempt}`)}
        format={amount}
        series={[
          { name: 'Succeeded', tone: 'accent', values: attempts.map(({ succeeded }) => succeeded) },
          {
            name: 'Did not succeed',
            tone: 'problem',
            values: attempts.map(({ calls, succeeded }) => calls - succeeded),
          },
        ]}
      />
      <ChartFigure
        title="Time to success"
        kind="line"
        {...overTime}
        format={duration}
        series={[{ name: 'Median', tone: 'accent', values: each(({ medianMs }) => medianMs) }]}
      />
      <ChartFigure
        title="Model calls per run"
        {...overTime}
        format={amount}
        series={[
          {
            name: 'Model calls per run',
            tone: 'accent',
            values: each(({ modelCalls, runs }) => share(modelCalls, runs)),
          },
        ]}
      />
      {errors.length > 0 && (
        <div className="chart-wide">
          <ChartFigure
            title="Errors by type and tool"
            unit="Error"
            sideways
            labels={errors.map(({ type, tool }) => `${labelOf(type)} · ${titleOf(tool)}`)}
            format={amount}
            series={[{ name: 'Errors', tone: 'problem', values: errors.map(({ count }) => count) }]}
          />
        </div>
      )}
      <ChartFigure
        title="Tokens per run"
        {...overTime}
        format={amount}
        series={[
          { name: 'Tokens per run', tone: 'accent', values: each(({ tokens, runs }) => share(tokens, runs)) },
        ]}
      />
      <ChartFigure
        title="Answers you rated"
        {...overTime}
        format={amount}
        series={[
          { name: 'Good', tone: 'accent', values: each(({ good }) => good) },
          { name: 'Bad', tone: 'problem', values: each(({ bad }) => bad) },
        ]}
      />
    </div>
  )
}
