/** One contender in a process of its own: `worker.ts NAME plain|streamed BASE_URL`; prints its figures as JSON. */
import process from 'node:process'
import type { Contender } from './contenders/contender.ts'

const [name, mode, baseURL] = process.argv.slice(2)
const { contender }: { contender: Contender } = await import(`./contenders/${name}.ts`)
const run = contender(baseURL ?? '', mode === 'streamed')

async function expectAnswer(): Promise<void> {
  const text = await run()
  if (!text.includes('21 degrees')) throw new Error(`${name} answered ${JSON.stringify(text)}.`)
}

for (let index = 0; index < 400; index++) await expectAnswer()

const times: number[] = []
for (let index = 0; index < 600; index++) {
  const start = performance.now()
  await expectAnswer()
  times.push(performance.now() - start)
}
times.sort((a, b) => a - b)

const total = 3000
let started = 0
const start = performance.now()
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (started++ < total) await expectAnswer()
  }),
)
const seconds = (performance.now() - start) / 1000
console.log(JSON.stringify({ p50: times[times.length / 2], perSecond: total / seconds }))
process.exit(0)
