/**
 * `npm run lab -- bench:spans`: CPU that OpenTelemetry costs the chat function per run (two model calls and a tool), sending
 * included, to a collector on loopback. Prints the figures and the goal, for docs/measurements.md. Linux only.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno, root } from '../../scripts/platform.ts'
import { startCollector } from '../../support/collector.ts'
import { writeMeasured } from '../measured.ts'

const goalMs = 0.6
const collector = await startCollector()
const options = ['run', '--allow-all', '--no-check', '--cached-only', '--node-modules-dir=manual']
const lines = ['| CPU per run | one after the other | 16 at once |', '|---|---|---|']
let worst = 0
for (const [name, deno] of Object.entries({ 'Deno 2.9': findDeno(), 'Deno 2.1': hostedDeno })) {
  if (!existsSync(deno)) continue
  const { stdout } = await promisify(execFile)(
    deno,
    [...options, 'lab/bench/spans-worker.ts', collector.url],
    {
      cwd: root,
    },
  )
  const { alone, together } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  lines.push(`| ${name} | ${alone.toFixed(2)} ms | ${together.toFixed(2)} ms |`)
  worst = Math.max(worst, alone, together)
}
await collector.close()
const verdict = worst <= goalMs ? 'met   ' : 'missed'
lines.push('', '```', `${verdict} CPU per run <= ${goalMs} ms: ${worst.toFixed(2)} ms`, '```')
console.log(lines.join('\n'))
await writeMeasured('npm run lab -- bench:spans', lines.join('\n'))
