import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { useEffect, useRef, useState } from 'react'
import { configureChart, type Drawing } from './chart-options.ts'
import { DataTable } from './data-table.tsx'
import { insightsWords } from './words.ts'

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController)
Chart.register(LineElement, PointElement, Tooltip)
Chart.defaults.font.family = '"Inter Variable", system-ui, sans-serif'

/** Maximum number of horizontal bars; the table has all rows. */
const mostBars = 10

/** A chart, with the same numbers in a table below for people who cannot see it or want the exact values. */
export function ChartFigure({ title, unit, ...drawing }: Drawing & { title: string; unit: string }) {
  const { labels, series, format, sideways } = drawing
  const words = insightsWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const drawn = sideways ? { ...drawing, labels: labels.slice(0, mostBars) } : drawing
  const contents = JSON.stringify([drawn.labels, series])
  useEffect(() => {
    if (!canvas.current) return
    const chart = new Chart(canvas.current, configureChart(drawn, canvas.current))
    return () => chart.destroy()
  }, [contents, theme])
  return (
    <figure className="chart-figure">
      <figcaption>{title}</figcaption>
      <div
        className="chart-place"
        style={sideways ? { height: `${drawn.labels.length * 2.75 + 2}rem` } : undefined}
      >
        <canvas ref={canvas} role="img" aria-label={words.drawn(title)} />
      </div>
      <details>
        <summary aria-label={words.tableOf(title)}>{words.asTable}</summary>
        <DataTable
          head={[unit, ...series.map(({ name }) => name)]}
          rows={labels.map((label, index) => [
            label,
            ...series.map(({ values }) => format(values[index] ?? null)),
          ])}
        />
      </details>
    </figure>
  )
}

/** Changes when the theme switches between light and dark. */
function useTheme(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const change = () => setChanges((before) => before + 1)
    const system = window.matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(change)
    system.addEventListener('change', change)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', change)
      chosen.disconnect()
    }
  }, [])
  return changes
}
