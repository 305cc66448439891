/**
 * `npm run lab -- measure`: how fast and how small the local stack is, measured on this machine with the demo model, as a
 * Markdown table for docs/measurements.md. Linux only, because memory is read from /proc.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signInDemo } from '../../support/chat-user.ts'
import { project, startStack, type TestStack } from '../../support/stack.ts'
import { writeMeasured } from '../measured.ts'
import { countMcpRoundTrips, measureMcp } from './mcp.ts'
import { measureSearchCost } from './search-cost.ts'
import { measureServerCalls } from './server-calls.ts'
import { measureStreamedTurn } from './streamed-turn.ts'

const warmStarts = 3
const conversations = 20
const procedureCalls = 200
const coldStarts = 5
/** V8 gives memory back only after a while without work, and idle database connections end after 30 s. */
const idleMs = 45_000

const directory = mkdtempSync(join(tmpdir(), 'askback-measure-'))
try {
  const rows = [
    ...(await measureStarts()),
    ...(await measureConversations()),
    ...(await measureRoundTrips()),
    ...(await measureColdStarts()),
  ]
  const table = ['| what | measured |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)]
  console.log(table.join('\n'))
  await writeMeasured('npm run lab -- measure', table.join('\n'))
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function measureStarts(): Promise<[string, string][]> {
  const start = async () => {
    const began = performance.now()
    const stack = await startStack({ dataDirectory: join(directory, 'data') })
    const seconds = (performance.now() - began) / 1000
    await stack.stop()
    return seconds
  }
  const first = await start()
  const later: number[] = []
  for (let run = 0; run < warmStarts; run++) later.push(await start())
  return [
    ['first start, with a new database', `${first.toFixed(1)} s`],
    ['later starts', `${median(later).toFixed(1)} s`],
  ]
}

async function measureConversations(): Promise<[string, string][]> {
  const stack = await startStack({ dataDirectory: join(directory, 'data') })
  try {
    await sleep(idleMs)
    const idle = readMemory(stack.pids().stack)
    const { token } = await signInDemo(stack)
    const first = await converse(stack, token)
    const later: number[] = []
    for (let run = 0; run < conversations; run++) later.push(await converse(stack, token))
    const mails = (await stack.inbox.messages()).length
    if (mails !== conversations + 1)
      throw new Error(`${conversations + 1} conversations sent ${mails} mails.`)
    const word = await measureStreamedTurn(stack, token)
    const search = await measureSearchCost(stack)
    const calls: number[] = []
    for (let run = 0; run < procedureCalls; run++) calls.push(await callProcedure(stack))
    const mcp = await measureMcp(stack)
    const mcpMemory = readMemory(stack.pids().mcp)
    const serverCalls = await measureServerCalls(stack)
    const clientMemory = readMemory(stack.pids()['mcp-client'])
    await sleep(idleMs)
    return [
      ['memory of the idle stack (all processes, PSS)', `${idle} MB`],
      ['memory once it has done what follows', `${readMemory(stack.pids().stack)} MB`],
      ['of it, the function mcp while it works', `${mcpMemory} MB`],
      ['the same of the function mcp-client', `${clientMemory} MB`],
      ['demo conversation, the first one (starts two functions)', `${first.toFixed(0)} ms`],
      [`demo conversation, median of ${conversations}`, `${median(later).toFixed(0)} ms`],
      ['first word of a streamed turn, median of 20', `${word.toFixed(0)} ms`],
      ['storing an answer of 3,000 words, median of 100', `${search.with.toFixed(1)} ms`],
      ['the same without what the search needs of it', `${search.without.toFixed(1)} ms`],
      ['the tools of an agent over MCP, median of 50', `${median(mcp.list).toFixed(1)} ms`],
      ['a read over MCP, median of 50', `${median(mcp.read).toFixed(1)} ms`],
      ['a read of a server of MCP by mcp-client, median of 50', `${median(serverCalls).toFixed(1)} ms`],
      [`an RPC over the Data API, median of ${procedureCalls}`, `${median(calls).toFixed(1)} ms`],
    ]
  } finally {
    await stack.stop()
  }
}

/** The requests that functions make, of which each takes the time of an RPC or longer. */
async function measureRoundTrips(): Promise<[string, string][]> {
  const { list, read } = await countMcpRoundTrips(join(directory, 'data'))
  return [
    ['round trips for the tools of an agent over MCP, between functions and to the database', `${list}`],
    ['the same for a read over MCP', `${read}`],
  ]
}

/** From a request to a function without a process to its first answer: the process, its modules, and a 401. */
async function measureColdStarts(): Promise<[string, string][]> {
  const stack = await startStack({ dataDirectory: join(directory, 'data') })
  try {
    const rows: [string, string][] = []
    const functions = readdirSync(join(project, 'supabase/functions'))
    for (const name of functions.filter(isFunction).sort()) {
      const times: number[] = []
      for (let run = 0; run < coldStarts; run++) {
        const began = performance.now()
        await (await fetch(`${stack.url}/functions/v1/${name}`, { method: 'POST' })).arrayBuffer()
        times.push(performance.now() - began)
        await endFunction(stack, name)
      }
      rows.push([`cold start of ${name}, median of ${coldStarts}`, `${median(times).toFixed(0)} ms`])
    }
    return rows
  } finally {
    await stack.stop()
  }
}

function isFunction(name: string): boolean {
  return existsSync(join(project, 'supabase/functions', name, 'index.ts'))
}

async function endFunction(stack: TestStack, name: string): Promise<void> {
  const pid = stack.pids()[name]
  if (pid === undefined) throw new Error(`${name} did not start.`)
  process.kill(pid, 'SIGKILL')
  while (stack.pids()[name] !== undefined) await sleep(10)
}

/** The conversation of docs/conversation.svg over HTTP, in ms: three model calls, one refused call, one mail. */
async function converse(stack: TestStack, token: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${stack.url}/functions/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Send an email about the meeting to ada@example.com' }),
  })
  const answer = await response.json()
  if (answer.status !== 'completed') throw new Error(`The conversation failed: ${JSON.stringify(answer)}`)
  return performance.now() - began
}

/** One RPC as the functions make them, in ms. */
async function callProcedure(stack: TestStack): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${stack.url}/rest/v1/rpc/list_api_tokens`, {
    method: 'POST',
    headers: {
      apikey: stack.keys.secretKey,
      'content-type': 'application/json',
      'content-profile': 'askback',
    },
    body: JSON.stringify({ p_user_id: crypto.randomUUID() }),
  })
  if (!response.ok) throw new Error(`The RPC failed: ${await response.text()}`)
  await response.arrayBuffer()
  return performance.now() - began
}

/** Proportional set size of a process and everything below it, in MB: shared pages are counted once. */
function readMemory(root = 0): number {
  const children = new Map<number, number[]>()
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readProcess(pid, 'status'))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const sum = (pid: number): number => {
    const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(readProcess(pid, 'smaps_rollup'))?.[1] ?? 0)
    return (children.get(pid) ?? []).reduce((total, child) => total + sum(child), kilobytes)
  }
  return Math.round(sum(root) / 1024)
}

/** Empty for a process that has just ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
