import type { Summary } from './summary.ts'

const width = 800
const height = 160
const gap = 4
const shownDays = 30

/** Calls by day: done below, not done above. The numbers are in the bars' titles and in the label. */
export function DayChart({ days }: { days: Summary['days'] }) {
  const shown = days.slice(-shownDays)
  const most = Math.max(1, ...shown.map(({ succeeded, failed }) => succeeded + failed))
  const slot = Math.min(48, width / Math.max(shown.length, 1))
  const words = shown
    .map(({ day, succeeded, failed }) => `${day}: ${succeeded} done, ${failed} not done`)
    .join('; ')
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} ${height + 20}`}
      role="img"
      aria-label={`Calls by day. ${words}`}
    >
      {shown.map(({ day, succeeded, failed }, index) => {
        const done = (succeeded / most) * height
        const open = (failed / most) * height
        const x = index * slot
        return (
          <g key={day}>
            <title>{`${day}: ${succeeded} done, ${failed} not done`}</title>
            <rect className="bar-done" x={x} y={height - done} width={slot - gap} height={done} rx="2" />
            <rect
              className="bar-open"
              x={x}
              y={height - done - open}
              width={slot - gap}
              height={open}
              rx="2"
            />
            <text className="bar-day" x={x + (slot - gap) / 2} y={height + 14} textAnchor="middle">
              {Number(day.slice(8))}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
