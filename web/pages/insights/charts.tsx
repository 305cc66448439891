import { ChartFigure } from './chart.tsx'
import { amount, dayName, duration, type Figure, type Insights, percent, share } from './figures.ts'
import { insightsWords, nameCode } from './words.ts'

/** All charts. Loaded together with the charting library. */
export default function Charts({ insights, titleOf }: { insights: Insights; titleOf(tool: string): string }) {
  const words = insightsWords()
  const { days, attempts, errors } = insights
  const overTime = { unit: words.day, labels: days.map(({ day }) => dayName(day)) }
  const each = (read: (figure: Figure) => number | null) => days.map(read)
  return (
    <div className="charts">
      <div className="chart-wide">
        <ChartFigure
          title={words.callsByDay}
          {...overTime}
          format={amount}
          series={[
            { name: words.done, tone: 'accent', values: each(({ done }) => done) },
            { name: words.notDone, tone: 'problem', values: each(({ notDone }) => notDone) },
          ]}
        />
      </div>
      <ChartFigure
        title={words.firstTryOrRecovered}
        kind="line"
        {...overTime}
        format={percent}
        series={[
          {
            name: words.firstTry,
            tone: 'accent',
            values: each(({ firstTry, done, notDone }) => share(firstTry, done + notDone)),
          },
          {
            name: words.recovered,
            tone: 'quiet',
            values: each(({ recovered, erred }) => share(recovered, erred)),
          },
        ]}
      />
      <ChartFigure
        title={words.successByAttempt}
        unit={words.attempt}
        labels={attempts.map(({ attempt }) => words.attemptNumber(attempt))}
        format={amount}
        series={[
          { name: words.succeeded, tone: 'accent', values: attempts.map(({ succeeded }) => succeeded) },
          {
            name: words.notSucceeded,
            tone: 'problem',
            values: attempts.map(({ calls, succeeded }) => calls - succeeded),
          },
        ]}
      />
      <ChartFigure
        title={words.timeToSuccess}
        kind="line"
        {...overTime}
        format={duration}
        series={[{ name: words.medianTime, tone: 'accent', values: each(({ medianMs }) => medianMs) }]}
      />
      <ChartFigure
        title={words.modelCalls}
        {...overTime}
        format={amount}
        series={[
          {
            name: words.modelCalls,
            tone: 'accent',
            values: each(({ modelCalls, runs }) => share(modelCalls, runs)),
          },
        ]}
      />
      {errors.length > 0 && (
        <div className="chart-wide">
          <ChartFigure
            title={words.errorsByType}
            unit={words.error}
            sideways
            labels={errors.map(({ type, tool }) => `${nameCode(type)} · ${titleOf(tool)}`)}
            format={amount}
            series={[{ name: words.errors, tone: 'problem', values: errors.map(({ count }) => count) }]}
          />
        </div>
      )}
      <ChartFigure
        title={words.tokens}
        {...overTime}
        format={amount}
        series={[
          { name: words.tokens, tone: 'accent', values: each(({ tokens, runs }) => share(tokens, runs)) },
        ]}
      />
      <ChartFigure
        title={words.rated}
        {...overTime}
        format={amount}
        series={[
          { name: words.good, tone: 'accent', values: each(({ good }) => good) },
          { name: words.bad, tone: 'problem', values: each(({ bad }) => bad) },
        ]}
      />
    </div>
  )
}
