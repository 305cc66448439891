import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { waitForEnd } from '../../local/process/running-process.ts'
import { type GmailServer, startGmailServer } from '../../support/gmail-server.ts'
import { type ModelServer, type ModelServerReply, startModelServer } from '../../support/model-server.ts'
import { pause, type SlowMailServer, startSlowMailServer } from '../../support/slow-mail-server.ts'
import { startStack, type TestStack } from '../../support/stack.ts'
import { copyTemplate } from '../../support/template.ts'
import { type Destination, startDestination } from './destination.ts'
import { Freezer } from './freezer.ts'
import { Gate } from './gate.ts'
import { type HopProxy, startHopProxy } from './hop-proxy.ts'
import { findMark, type ScriptedModel } from './model.ts'
import type { Random } from './random.ts'
import { gmailAccounts } from './resident.ts'
import type { Victim } from './scenario.ts'
import { SecondChat } from './second-chat.ts'
import { createStrikes, type Strikes } from './strikes.ts'

/** A conversation as the fake servers around the stack know it. */
export interface Inhabitant {
  userId: string
  model: ScriptedModel
  /** Milliseconds until the mail server, or Gmail, confirms a mail. */
  delayMs: number
  /** Whether whoever is told what waits fails the first time. */
  isDeaf: boolean
}

/** The functions that send mail. */
const tools = ['smtp-api', 'gmail-api']

const dying: Record<Exclude<Victim, 'postgres'>, readonly string[]> = {
  chat: ['chat'],
  tool: tools,
  both: ['chat', ...tools],
  stack: ['chat', ...tools],
}

/** The whole stack, everything that it talks to, and the means to kill and to freeze it. */
export class World {
  readonly strikes: Strikes = createStrikes()
  readonly freezer = new Freezer()
  readonly gate = new Gate()
  /** By mark. */
  readonly inhabitants = new Map<string, Inhabitant>()
  /** The number of kills so far. */
  kills = 0
  /** Why killing has to stop. */
  fault: Error | undefined
  stack!: TestStack
  mail!: SlowMailServer
  gmail!: GmailServer
  bell!: Destination
  #model!: ModelServer
  #proxy!: HopProxy
  #sql!: postgres.Sql
  #directory = ''
  #killing: Promise<unknown> = Promise.resolve()
  #reaper: NodeJS.Timeout | undefined
  #clock: NodeJS.Timeout | undefined
  #second: SecondChat | undefined
  /** When the last process of a kind died, by the database's clock: whoever held a lease before then is dead. */
  #chatDied = new Date(0)
  #toolDied = new Date(0)

  static async open(): Promise<World> {
    const world = new World()
    world.#directory = mkdtempSync(join(tmpdir(), 'askback-chaos-'))
    await copyTemplate(world.#directory)
    world.#model = await startModelServer(({ body, ...request }) => world.#answer({ body, ...request }))
    const ownerOfText = (text: string) => world.inhabitants.get(findMark(text) ?? '')?.userId
    world.#proxy = await startHopProxy({ ownerOfText }, async (hop, side) => {
      world.freezer.onHop(hop, side)
      await world.strikes.onHop(hop, side)
      if (side === 'after' && /^gmail .*send$/.test(hop.name)) await pause(world.#delayOf(hop.userId))
    })
    world.gmail = await startGmailServer()
    world.mail = await startSlowMailServer(async (stage, { to }) => {
      const one = world.inhabitants.get(findMark(to.join()) ?? '')
      if (one) await world.strikes.onHop({ name: `smtp ${stage}`, userId: one.userId }, 'before')
      if (one && stage === 'message') await pause(one.delayMs)
    })
    world.bell = await startDestination(async ({ type, delivery }, side) => {
      const userId = world.#proxy.userOf(delivery)
      if (userId) await world.strikes.onHop({ name: `ring ${type}`, userId }, side)
      return [...world.inhabitants.values()].some((one) => one.userId === userId && one.isDeaf)
    })
    await world.#start('0')
    world.#sql = postgres(world.stack.databaseUrl, {
      max: 3,
      connect_timeout: 5,
      // It asks for them where nobody hears that the database has died.
      fetch_types: false,
      onnotice: () => {},
    })
    await world.query(
      (sql) =>
        sql`insert into askback.on_open (url, secret, digests) values (${world.bell.url}, 'secret', true)`,
    )
    world.#reap()
    return world
  }

  #delayOf(userId: string): number {
    return [...this.inhabitants.values()].find((one) => one.userId === userId)?.delayMs ?? 0
  }

  /** Freezes functions from now on. */
  freeze(random: Random, seconds: readonly number[]): void {
    const pids = () => new Map(Object.entries(this.stack.pids()))
    this.freezer.run(random, seconds, pids, (name) => name === 'chat' && this.#startSecond())
    this.#clock = setInterval(() => this.#tick().catch(() => {}), 1_000)
  }

  /** Where people's requests go: the platform gives them to a process that responds. */
  get chat(): string {
    const first = `${this.stack.url}/functions/v1/chat`
    return this.freezer.isFrozen(this.stack.pids().chat) ? (this.#second?.url ?? first) : first
  }

  #startSecond(): void {
    this.#second ??= new SecondChat(this.stack, this.#model, {
      HTTP_PROXY: this.#proxy.url,
      GMAIL_API_BASE_URL: this.gmail.url,
    })
  }

  async #endSecond(): Promise<void> {
    const second = this.#second
    this.#second = undefined
    await second?.kill()
  }

  /** While the stack's own chat stands still, the clock calls the second one, like everybody. */
  async #tick(): Promise<void> {
    if (this.#second?.url && this.freezer.isFrozen(this.stack.pids().chat)) await this.#second.tick()
  }

  /** How many mails were sent to somebody, by all providers. */
  mailsTo(address: string): number {
    const sent = Object.values(gmailAccounts).flatMap((email) => this.gmail.mailbox(email).sent)
    return this.mail.mailsTo(address).length + sent.filter(({ raw }) => raw.includes(address)).length
  }

  /** How many drafts to somebody there are. */
  draftsTo(address: string): number {
    const boxes = Object.values(gmailAccounts).map((email) => this.gmail.mailbox(email))
    return boxes.flatMap((box) => [...box.drafts.keys()].filter((id) => box.draft(id).raw.includes(address)))
      .length
  }

  #answer(request: Parameters<ScriptedModel['answer']>[0]): ModelServerReply {
    const one = this.inhabitants.get(findMark(JSON.stringify(request.body.messages)) ?? '')
    return one?.model.answer(request) ?? { text: 'Who are you?' }
  }

  async #start(port: string): Promise<void> {
    this.stack = await startStack({
      dataDirectory: this.#directory,
      env: {
        ASKBACK_PORT: port,
        ASKBACK_CLOCK_SECONDS: '1',
        HTTP_PROXY: this.#proxy.url,
        GMAIL_API_BASE_URL: this.gmail.url,
        LLM_PROVIDER: 'any',
        OPENAI_BASE_URL: this.#model.url,
        OPENAI_API_KEY: 'any',
        OPENAI_MODEL: 'scripted-model',
      },
    })
    this.mail.trustIn(this.stack)
  }

  /** Queries the database, once it is up. */
  async query<T>(ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const giveUp = Date.now() + 60_000
    for (;;) {
      try {
        return await ask(this.#sql)
      } catch (error) {
        if (Date.now() > giveUp || (error as { severity?: string }).severity === 'ERROR') throw error
        await pause(100)
      }
    }
  }

  /** Kills run one after another; resolves when what was killed is back. */
  kill(victim: Victim): Promise<void> {
    if (this.fault) return Promise.resolve()
    const killed = this.#killing.then(() => this.#kill(victim))
    this.#killing = killed.catch((error) => {
      // Nothing works without what was killed.
      this.fault ??= error
    })
    return killed
  }

  async #kill(victim: Victim): Promise<void> {
    for (const { model } of this.inhabitants.values()) model.wasStruck = true
    if (victim === 'postgres') return await this.#killPostgres()
    await this.gate.closedFor(async () => {
      const names = dying[victim]
      if (names.includes('chat')) await this.#endSecond()
      const running = this.stack.pids()
      const pids = names.flatMap((name) => running[name] ?? [])
      if (victim === 'stack') await this.#restart()
      else {
        if (pids.map(end).every((hasEnded) => !hasEnded)) return
        await Promise.all(pids.map((pid) => waitForEnd(pid, 10_000)))
      }
      this.kills++
      const now = await this.#now()
      if (names.includes('chat')) this.#chatDied = now
      if (names !== dying.chat) this.#toolDied = now
      // Who has held a connection to the dead hears of it.
      await pause(50)
    })
  }

  async #restart(): Promise<void> {
    const { port } = new URL(this.stack.url)
    this.freezer.thaw()
    await this.stack.kill()
    await this.#start(port)
  }

  async #killPostgres(): Promise<void> {
    const { postgres: pid } = this.stack.pids()
    if (pid === undefined || !end(pid)) return
    this.kills++
    await waitForEnd(pid, 10_000)
    await this.#now()
    const isBack = () =>
      fetch(`${this.stack.url}/rest/v1/rpc/tick_clock`, {
        method: 'POST',
        headers: {
          apikey: this.stack.keys.secretKey,
          'content-profile': 'askback',
          'content-type': 'application/json',
        },
        body: '{}',
      }).then(({ ok }) => ok)
    while (!(await isBack())) await pause(50)
  }

  async #now(): Promise<Date> {
    const [row] = await this.query((sql) => sql`select clock_timestamp() as now`)
    return row?.now
  }

  /**
   * Expires the leases whose holder is dead, and no others; what it was handed out is due again. Waits for claims whose mail is being delivered.
   */
  #reap(): void {
    const round = async () => {
      const atTool = [...this.#proxy.atTool].join()
      await this.#sql`update askback.schedules set woken_at = null where woken_at < ${this.#chatDied}`
      await this.#sql`
        update askback.runs set lease_expires_at = clock_timestamp()
        where status in ('running', 'stopping') and lease_expires_at > clock_timestamp()
          and started_at < ${this.#chatDied}`
      await this.#sql`
        update askback.tool_executions e set lease_expires_at = clock_timestamp()
        where e.status = 'running' and e.lease_expires_at > clock_timestamp()
          and case
            when e.delivery_id is not null then e.effect_started_at < ${this.#toolDied}
            else not (e.user_id::text = any (string_to_array(${atTool}, ','))) and exists (
              select 1 from askback.runs r where r.id = e.run_id and r.started_at < ${this.#chatDied}
            )
          end`
    }
    this.#reaper = setTimeout(() => {
      round()
        .catch(() => {})
        .finally(() => this.#reaper && this.#reap())
    }, 250)
  }

  /** The stack's output since its last start. */
  output(): string {
    return this.stack.output()
  }

  async close(): Promise<void> {
    clearTimeout(this.#reaper)
    clearInterval(this.#clock)
    this.#reaper = undefined
    this.freezer.close()
    await this.#killing
    await this.#endSecond()
    await this.#sql.end({ timeout: 5 })
    await this.stack.stop()
    const servers = [this.#model, this.#proxy, this.mail, this.gmail, this.bell]
    await Promise.all(servers.map((server) => server.close()))
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

/** False if it has ended already. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
