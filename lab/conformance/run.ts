/**
 * `npm run conformance`: every fault of lab/conformance/faults, plain and streamed, as a Markdown table for
 * docs/measurements.md.
 * With `--base-url` and `--model` it holds 40 everyday conversations with that model instead (any OpenAI-compatible
 * server) and reports at which attempt they succeed; the key is read from OPENAI_API_KEY, or from the variable that
 * `--key-from` names.
 */
import { parseArgs } from 'node:util'
import type { ModelClient } from '../../shared/engine/models/protocol/model-client.ts'
import { writeMeasured } from '../measured.ts'
import { explain, modelOptions, readModel } from '../model-options.ts'
import { faults } from './faults/all.ts'
import { measureModel } from './measure-model.ts'
import { type FaultReport, runFault } from './run-fault.ts'

const { values } = parseArgs({ options: { ...modelOptions, stream: { type: 'boolean' } } })
if (values['base-url'] === undefined && values.model === undefined) await printFaults()
else {
  const model = readModel(values)
  if (model !== undefined) await measure(model, values.model ?? '').catch(explain)
}

async function printFaults(): Promise<void> {
  const failed: string[] = []
  const lines: string[] = []
  const print = (line: string) => {
    lines.push(line)
    console.log(line)
  }
  let runs = 0
  for (const [group, cases] of faults) {
    print(
      `\n### ${group}\n\n| fault | what the model was asked | executed | model calls | the run ends | plain | streamed |`,
    )
    print('|---|---|---|---|---|---|---|')
    for (const fault of cases) {
      const plain = await runFault(fault, false)
      const streamed = await runFault(fault, true)
      runs += 2
      const marks = [plain, streamed].map(({ problems }) => (problems.length === 0 ? '✓' : '✗'))
      const cells = [fault.name, plain.told, executed(plain), plain.requests, plain.ended, ...marks]
      print(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
      for (const problem of new Set([...plain.problems, ...streamed.problems]))
        failed.push(`${fault.name}: ${problem}`)
    }
  }
  print(`\n${runs} runs, ${failed.length === 0 ? 'all as expected' : `${failed.length} problems`}.`)
  for (const line of failed) print(`- ${line}`)
  await writeMeasured('npm run conformance', lines.join('\n'))
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** `send_email`, `web_search ×3`, or nothing. */
function executed({ ran }: FaultReport): string {
  const times = new Map<string, number>()
  for (const [name] of ran) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, number]) => (number > 1 ? `${name} ×${number}` : name)).join(', ') || '–'
}

async function measure(client: ModelClient, model: string): Promise<void> {
  const onEach = (done: number, total: number) => process.stderr.write(`\r${done}/${total}`)
  const measured = await measureModel(client, { stream: values.stream ?? false, onEach })
  process.stderr.write('\n')
  const [first, second, third] = measured.atAttempt
  const calling = measured.conversations - measured.asking
  const share = (part: number, whole: number) => `${part}/${whole} (${Math.round((100 * part) / whole)} %)`
  const rows: [string, string][] = [
    ['succeeded at the first attempt', share(first, calling)],
    ['succeeded at the second attempt', share(second, calling)],
    ['succeeded at the third attempt', share(third, calling)],
    ['asked where something was missing', share(measured.asked, measured.asking)],
    ['model calls per success', measured.modelCallsPerSuccess.toFixed(1)],
    ['tokens per success', measured.tokensPerSuccess.toFixed(0)],
  ]
  console.log(`\n| ${model} | ${measured.conversations} conversations |\n|---|---|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  for (const { says, ended } of measured.failed) console.log(`- ${ended}: ${says}`)
}
