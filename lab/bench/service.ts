/**
 * `npm run lab -- bench:service`: the chat function beside the function that a team would write without us (`lab/bench/peer`), on the
 * same stack with the same stub model: a streamed turn in a new conversation. The two take turns. The turns are those of
 * many users, since neither serves one user's parallel turns in practice, and with the limits as they are by default.
 * Prints a Markdown table and the goals. `BENCH_ROUNDS` (default 3). The peer's packages are installed by
 * `npm ci --prefix lab/bench`. Linux only.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { root } from '../../scripts/platform.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { startStack } from '../../support/stack.ts'
import { writeMeasured } from '../measured.ts'
import { type MeasuredProcess, startMeasured } from './measured-process.ts'
import { takeTurn } from './measured-turn.ts'
import { median } from './median.ts'
import { startStubModel } from './stub-model.ts'

interface Figures {
  /** Milliseconds. */
  p50: number
  perSecond: number
  /** CPU milliseconds of the function per turn. */
  cpu: number
  /** MB of heap and external memory, the highest. */
  memory: number
  /** Transactions of the database per turn. */
  transactions: number
}

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const inTurn = 120
const atOnce = 16
const together = 320
/** So many that each stays under the default limits. */
const userCount = 64

if (!existsSync(join(root, 'lab/bench/node_modules/ai'))) {
  console.error('The peer is not installed: run npm ci --prefix lab/bench first.')
  process.exit(1)
}

const model = await startStubModel()
const stack = await startStack({ env: model.settings, keepsLimits: true })
const running: MeasuredProcess[] = []
try {
  const users = await Promise.all(Array.from({ length: userCount }, () => signUp(stack)))
  for (const { id } of users) await giveAgent(stack, id, 'never')
  const tools = join(stack.dataDirectory, 'peer-tools.json')
  await withDatabase(stack, async (sql) => {
    await sql.unsafe(readFileSync(join(root, 'lab/bench/service/peer-tables.sql'), 'utf8'))
    const rows = await sql`select specification from askback.tools where enabled order by position, name`
    writeFileSync(tools, JSON.stringify(rows.map(({ specification }) => specification)))
  })
  const start = async (entry: string) => {
    const measured = await startMeasured(stack, join(root, entry), { ...model.settings, PEER_TOOLS: tools })
    running.push(measured)
    return measured
  }
  const contenders = {
    askback: await start('supabase/functions/chat/index.ts'),
    peer: await start('lab/bench/peer/index.ts'),
  }
  const found: Record<string, Figures[]> = { askback: [], peer: [] }
  // Warm: each process, and each connection to the database.
  for (const one of Object.values(contenders)) await takeTogether(one, users)
  for (let round = 0; round < rounds; round++) {
    for (const [name, one] of Object.entries(contenders)) {
      found[name]?.push(await withDatabase(stack, (sql) => measure(sql, one, users)))
    }
  }
  await report(found)
} finally {
  for (const one of running) one.stop()
  model.stop()
  await stack.stop()
}

async function measure(sql: Sql, one: MeasuredProcess, users: readonly ChatUser[]): Promise<Figures> {
  await one.memory()
  const before = { cpu: one.cpu(), transactions: await countTransactions(sql) }
  const times = await takeInTurn(one, users)
  const seconds = await takeTogether(one, users)
  const turns = inTurn + together
  return {
    p50: median(times),
    perSecond: together / seconds,
    cpu: (one.cpu() - before.cpu) / turns,
    memory: (await one.memory()).peak / 1e6,
    transactions: ((await countTransactions(sql)) - before.transactions) / turns,
  }
}

async function takeInTurn(one: MeasuredProcess, users: readonly ChatUser[]): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < inTurn; turn++) {
    const began = performance.now()
    await takeTurn(one, chooseUser(users, turn))
    times.push(performance.now() - began)
  }
  return times
}

/** Resolves to the seconds it took. */
async function takeTogether(one: MeasuredProcess, users: readonly ChatUser[]): Promise<number> {
  const began = performance.now()
  let turn = 0
  const work = async () => {
    while (turn < together) await takeTurn(one, chooseUser(users, turn++))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return (performance.now() - began) / 1000
}

function chooseUser(users: readonly ChatUser[], turn: number): ChatUser {
  return users[turn % users.length] as ChatUser
}

/** The statistics of a connection arrive within a second. */
async function countTransactions(sql: Sql): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await sql`select pg_stat_clear_snapshot()`
  const [row] = await sql`
    select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`
  return row?.count
}

async function report(found: Record<string, Figures[]>): Promise<void> {
  const { askback = [], peer = [] } = found
  const of = (figures: Figures[], name: keyof Figures) => median(figures.map((one) => one[name]))
  const row = (name: string, figures: Figures[]) =>
    `| ${name} | ${of(figures, 'p50').toFixed(1)} ms | ${of(figures, 'perSecond').toFixed(0)} | ${of(figures, 'cpu').toFixed(1)} ms | ${of(figures, 'memory').toFixed(0)} MB | ${of(figures, 'transactions').toFixed(1)} |`
  // Within each round, since the machine is not equally fast in all of them.
  const ratio = (name: keyof Figures) =>
    median(askback.map((one, round) => one[name] / (peer[round]?.[name] ?? Number.NaN)))
  const goals: [text: string, value: number, isMet: boolean][] = [
    ['p50 <= 0.85x', ratio('p50'), ratio('p50') <= 0.85],
    [`throughput at ${atOnce} >= 1.2x`, ratio('perSecond'), ratio('perSecond') >= 1.2],
    ['CPU of the function <= 0.7x', ratio('cpu'), ratio('cpu') <= 0.7],
    ['memory <= 1.0x', ratio('memory'), ratio('memory') <= 1],
  ]
  const lines = [
    `${rounds} rounds, medians; a streamed turn in a new conversation, rotating among ${userCount} users.`,
    '',
    `| | p50 | turns per second at ${atOnce} | CPU of the function | memory | transactions |`,
    '|---|---|---|---|---|---|',
    row('askback', askback),
    row('peer', peer),
    '',
    '```',
    ...goals.map(([text, value, isMet]) => `${isMet ? 'met   ' : 'missed'} ${text}: ${value.toFixed(2)}x`),
    `transactions: ${ratio('transactions').toFixed(2)}x`,
    '```',
  ]
  console.log(lines.join('\n'))
  await writeMeasured('npm run lab -- bench:service', lines.join('\n'))
}
