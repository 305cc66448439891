/**
 * `npm run lab -- floods`: how long another user waits for an answer while one user floods the service, beside how long before.
 * The local stack with its limits as they are by default, and a scripted model on loopback. `--seconds 10` of each. Before
 * each flood, what the one before has left behind has to be over. Beside a flood, the same requests when each is refused
 * at once: what the flooder alone costs on this machine.
 * Exit code 1 if a flood more than doubles the other user's p95 once it has met its limit, or after 3 s.
 */
import { parseArgs } from 'node:util'
import { startChatStack } from '../../support/chat-stack.ts'
import { signUp } from '../../support/chat-user.ts'
import { writeMeasured } from '../measured.ts'
import { controls, type FloodResult, floods, startFlood } from './floods.ts'
import { answerFloods } from './model.ts'
import { liftFor, OtherUser } from './other-user.ts'
import { isKept, renderResults } from './report.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const measuredMs = Number(values.seconds) * 1000

const chat = await startChatStack({}, { keepsLimits: true })
const results: FloodResult[] = []
try {
  chat.model.use(answerFloods)
  const person = await signUp(chat.stack)
  await liftFor(chat.stack, person.id)
  const other = new OtherUser(person)
  // The first answers start processes and fill caches.
  await other.measure(measuredMs / 2)
  const usual = await other.measure(measuredMs)
  const measured = floods.flatMap((flood) => {
    const kinds = controls.includes(flood) ? [false, true] : [false]
    return kinds.map((isControl) => ({ flood, isControl }))
  })
  for (const { flood, isControl } of measured) {
    await other.settle(usual.p95)
    const before = await other.measure(measuredMs)
    const running = await startFlood(flood, chat.stack, isControl)
    const during = await other.measure(measuredMs)
    const counts = await running.stop()
    results.push({ flood, isControl, before, during, ...counts })
    console.log(renderResults(results.slice(-1)))
  }
} finally {
  await chat.stop()
}
const table = renderResults(results)
console.log(table)
await writeMeasured('npm run lab -- floods', table)
process.exitCode = results.every(isKept) ? 0 : 1
