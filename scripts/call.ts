/**
 * `npm run call -- weather_forecast '{"city":"Oslo"}'`: calls a tool as the demo user of the running local stack, without
 * a model. Prints what a model would read, and to stderr what was repaired. The exit code is 1 if the call failed.
 */
import { resolve } from 'node:path'
import { StartError } from '../local/process/start-error.ts'
import { callTool } from './call/call-tool.ts'

const [name, rawArguments] = process.argv.slice(2)
try {
  const { ok, text, repairs } = await callTool(
    resolve(process.env.ASKBACK_DATA_DIR || '.askback'),
    name,
    rawArguments,
  )
  for (const { path, rule } of repairs) console.error(`repaired: ${path || 'the arguments'} (${rule})`)
  console.log(text)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
