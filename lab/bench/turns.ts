/**
 * `npm run lab -- bench:turns`: what 500 streamed turns leave behind in the chat function, as a Markdown table: memory, open
 * files and sockets, before, after, and a while later. The local stack and the demo model. Linux only: it reads /proc.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack, type TestStack } from '../../support/stack.ts'
import { writeMeasured } from '../measured.ts'
import { signIn, streamTurn } from './streamed-turn.ts'

const warmUp = 50
const turns = 500
/** V8 gives memory back only after a while without work. */
const idleMs = 30_000

const stack = await startStack()
try {
  const token = await signIn(stack)
  const take = async (count: number) => {
    for (let turn = 0; turn < count; turn++) {
      const told = await (await streamTurn(stack, token, 'Hello')).text()
      if (!told.endsWith('data: [DONE]\n\n')) throw new Error(`A turn was not told to its end: ${told}`)
    }
  }
  await take(warmUp)
  const rows = [row(stack, `after ${warmUp} turns`)]
  await take(turns)
  rows.push(row(stack, `after ${turns} more, each a conversation`))
  // As clients do that lose their connection: they go in the middle, and come back for the rest.
  for (let turn = 0; turn < turns; turn++) {
    const id = crypto.randomUUID()
    await (await streamTurn(stack, token, 'Hello', id)).body?.cancel()
    const back = await fetch(`${stack.url}/functions/v1/chat/${id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await back.text()
  }
  rows.push(row(stack, `after ${turns} more, left and resumed`))
  await sleep(idleMs)
  rows.push(row(stack, `${idleMs / 1000} s later`))
  const table = ['| chat function | memory (RSS) | open files and sockets |', '|---|---|---|', ...rows]
  console.log(table.join('\n'))
  await writeMeasured('npm run lab -- bench:turns', table.join('\n'))
} finally {
  await stack.stop()
}

function row(of: TestStack, when: string): string {
  const pid = of.pids().chat
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return `| ${when} | ${Math.round(kilobytes / 1024)} MB | ${readdirSync(`/proc/${pid}/fd`).length} |`
}
