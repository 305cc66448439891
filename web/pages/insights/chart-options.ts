import type { ChartConfiguration } from 'chart.js'

export interface Series {
  name: string
  tone: 'accent' | 'problem' | 'quiet'
  /** null: no value. */
  values: (number | null)[]
}

export interface Drawing {
  labels: string[]
  series: Series[]
  kind?: 'bar' | 'line'
  /** Horizontal bars, for long labels. */
  sideways?: boolean
  format(value: number | null): string
}

/** The options for the charting library, with the theme's current colours. */
export function configureChart(
  { kind = 'bar', labels, series, sideways = false, format }: Drawing,
  canvas: HTMLCanvasElement,
): ChartConfiguration<'bar' | 'line', (number | null)[], string | string[]> {
  const colorOf = (name: string) => readColor(canvas, `var(--${name})`)
  const tones = { accent: colorOf('accent'), problem: colorOf('problem'), quiet: colorOf('line-strong') }
  const [ink, line] = [colorOf('ink-quiet'), colorOf('line')]
  const rtl = document.dir === 'rtl'
  const isCount = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)))
  const values = {
    stacked: kind === 'bar',
    beginAtZero: true,
    grid: { color: line },
    border: { display: false },
    ticks: {
      color: ink,
      maxTicksLimit: 5,
      precision: isCount ? 0 : undefined,
      callback: (value: string | number) => format(Number(value)),
    },
  }
  const places = {
    stacked: kind === 'bar',
    grid: { display: false },
    border: { color: line },
    ticks: { color: ink, maxRotation: 0, autoSkip: !sideways, autoSkipPadding: 12 },
  }
  const [across, upright] = sideways ? [values, places] : [places, values]
  return {
    type: kind,
    data: {
      // Two lines where space is short.
      labels: sideways ? labels.map((label) => label.split(' · ')) : labels,
      datasets: series.map(({ name, tone, values: data }) => ({
        label: name,
        data,
        backgroundColor: tones[tone],
        borderColor: tones[tone],
        borderRadius: 3,
        maxBarThickness: 36,
        borderWidth: kind === 'line' ? 2 : 0,
        pointRadius: 3,
        spanGaps: true,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: sideways ? 'y' : 'x',
      interaction: { mode: 'index', intersect: false, axis: sideways ? 'y' : 'x' },
      scales: { x: { ...across, reverse: rtl }, y: { ...upright, position: rtl ? 'right' : 'left' } },
      plugins: {
        legend: {
          display: series.length > 1,
          align: 'start',
          rtl,
          labels: { color: ink, boxWidth: 12, boxHeight: 12 },
        },
        tooltip: {
          rtl,
          callbacks: {
            label: ({ dataset, dataIndex }) =>
              `${dataset.label}: ${format((dataset.data[dataIndex] as number | null) ?? null)}`,
          },
        },
      },
    },
  }
}

/** The current value of a colour from the style sheet: a canvas cannot use CSS variables. */
function readColor(canvas: HTMLCanvasElement, color: string): string {
  canvas.style.color = color
  return getComputedStyle(canvas).color
}
