/**
 * `npm run lab -- bench:memory`: what the chat function holds in memory, heap and external together, through what takes most of
 * it, in one process with the limit of a hosted one; and its CPU time, of which a hosted request has 2 s. Linux only.
 */
import { writeMeasured } from '../measured.ts'
import { measureMemory } from './memory/measure-memory.ts'

const rows = (await measureMemory()).map(({ name, statuses, peak, cpu }) => {
  const answers = [...new Set(statuses)].map(
    (status) => `${statuses.filter((one) => one === status).length} × ${status}`,
  )
  const each = cpu / statuses.length
  return `| ${name} | ${answers.join(', ')} | ${peak.toFixed(0)} MB | ${each.toFixed(0)} ms |`
})
const table = ['| what | answers | memory | CPU per request |', '|---|---|---|---|', ...rows]
console.log(table.join('\n'))
await writeMeasured('npm run lab -- bench:memory', table.join('\n'))
