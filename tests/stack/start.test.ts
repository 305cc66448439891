import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPortMemory } from '../../local/data-directory/port-memory.ts'
import { startEmbeddedPostgres } from '../../local/database/embedded-postgres.ts'
import { identifyProcess, waitForEnd } from '../../local/process/running-process.ts'
import { signUp, withDatabase } from '../../support/chat-user.ts'
import { pidOf } from '../../support/pid-of.ts'
import { project, type StackOptions, spawnStack, startStack, type TestStack } from '../../support/stack.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { copyTemplate } from '../../support/template.ts'
import { some } from '../../support/test-all.ts'
import { testPostgres } from '../../support/test-postgres.ts'

let directory: string
const stacks: TestStack[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
})
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** On a data directory that is there already, unless another one is given. */
async function start(options: StackOptions = {}): Promise<TestStack> {
  const dataDirectory = options.dataDirectory ?? join(directory, 'data')
  if (options.dataDirectory === undefined && !existsSync(dataDirectory)) await copyTemplate(dataDirectory)
  const stack = await startStack({ ...options, dataDirectory })
  stacks.push(stack)
  return stack
}

/** The very first start. */
const startNew = (options: StackOptions = {}) => start({ ...options, dataDirectory: join(directory, 'data') })

/** Runs a stack that is expected to end by itself. */
async function runToEnd(dataDirectory: string, env: Record<string, string> = {}) {
  const { child, output } = spawnStack({ dataDirectory, env })
  const [code] = await once(child, 'close')
  return { code, output: output().trim() }
}

/** Command lines of the processes that work on a directory. */
function findProcesses(path: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path))
}

const probes = join(project, 'support/functions')

async function signIn(stack: TestStack): Promise<Response> {
  return fetch(`${stack.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: stack.keys.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(stack.demoUser),
  })
}

/** Status of a read through the data API. */
async function readTools({ url, keys }: TestStack): Promise<number> {
  const headers = { apikey: keys.secretKey, 'accept-profile': 'askback' }
  const response = await fetch(`${url}/rest/v1/tools?select=name`, {
    headers,
    signal: AbortSignal.timeout(20_000),
  })
  await response.text()
  return response.status
}

describe('a stack that runs', () => {
  let stack: TestStack
  let home: string
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'askback-test-'))
    await copyTemplate(join(home, 'data'))
    stack = await startStack({ dataDirectory: join(home, 'data') })
  })
  afterAll(async () => {
    await stack?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it('writes stack.json, for its owner only, before it says that it is ready', async () => {
    const path = join(stack.dataDirectory, 'stack.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const file = JSON.parse(readFileSync(path, 'utf8'))
    expect(file).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      publishableKey: expect.stringMatching(/^sb_publishable_/),
      secretKey: expect.stringMatching(/^sb_secret_/),
      databaseUrl: expect.stringMatching(/^postgres:\/\/postgres:.+@127\.0\.0\.1:\d+\/postgres$/),
      demoUser: { email: expect.stringContaining('@'), password: expect.any(String) },
      smtp: {
        host: '127.0.0.1',
        port: expect.any(Number),
        user: expect.any(String),
        password: expect.any(String),
      },
      pids: { stack: expect.any(Number), postgres: expect.any(Number) },
    })
    expect(stack.output()).toContain(`ready ${file.url}\n`)
    for (const name of ['keys.json', 'inbox-authority.pem', 'postgres.log']) {
      expect(statSync(join(stack.dataDirectory, name)).mode & 0o077, name).toBe(0)
    }
    expect((await signIn(stack)).status).toBe(200)
    const page = await (await fetch(`${stack.url}/status`)).text()
    expect(page).toContain('Askback is running')
    expect(page).not.toContain(stack.keys.secretKey)
  })

  it('prints the address for MCP clients, which tells them where to sign in', async () => {
    const [, address = ''] = /^mcp: (\S+)$/m.exec(stack.output()) ?? []
    expect(address).toBe(`${stack.url}/functions/v1/mcp`)
    const refused = await fetch(address, { method: 'POST' })
    expect(refused.status).toBe(401)
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: address })
  })

  it('only listens on this machine and wants a password for the database', async () => {
    const open = stack.databaseUrl.replace(/:[^:@]+@/, ':wrong@')
    const { default: postgres } = await import('postgres')
    await expect(postgres(open, { max: 1 })`select 1`).rejects.toThrow(/password authentication failed/)
    const sql = postgres(stack.databaseUrl, { max: 1 })
    expect(await sql`show listen_addresses`).toEqual([{ listen_addresses: '127.0.0.1' }])
    await sql.end()
  })

  it('refuses a port that is taken with one sentence, and starts nothing', async () => {
    const { port } = new URL(stack.url)
    const other = join(directory, 'other')
    const { code, output } = await runToEnd(other, { ASKBACK_PORT: port })
    expect(code).toBe(1)
    expect(output).toBe(
      `Port ${port} is already in use, perhaps by another Askback. Stop what runs there, or set ASKBACK_PORT to another port (0 = any free one).`,
    )
    expect(existsSync(join(other, 'postgres'))).toBe(false)
  })

  it('refuses a data directory that is in use with one sentence that names the running stack', async () => {
    const { code, output } = await runToEnd(stack.dataDirectory, {})
    expect(code).toBe(1)
    expect(output).toMatch(
      /^Askback is already running at http:\/\/127\.0\.0\.1:\d+ \(process \d+\) with the data directory \S+\. .*$/,
    )
    expect(output).toContain(stack.url)
    expect((await signIn(stack)).status).toBe(200)
  })

  it('keeps users, keys and ports over a restart', async () => {
    const { keys, databaseUrl, smtp, dataDirectory } = stack
    await stack.stop()
    stack = await startStack({ dataDirectory })
    expect(stack).toMatchObject({ keys, databaseUrl, smtp })
    expect((await signIn(stack)).status).toBe(200)
  })

  it('leads every account to the inbox again when its port has changed', async () => {
    const { id } = await signUp(stack)
    const { dataDirectory, smtp } = stack
    await stack.stop()
    openPortMemory(dataDirectory).remember('inbox', 0)
    stack = await startStack({ dataDirectory })
    expect(stack.smtp.port).not.toBe(smtp.port)
    const ports = await withDatabase(
      stack,
      (sql) => sql`select metadata ->> 'port' as port from askback.connections`,
    )
    expect(ports.map(({ port }) => Number(port))).toEqual([stack.smtp.port, stack.smtp.port])
    await withDatabase(stack, (sql) => sql`delete from askback.connections where user_id = ${id}`)
  })

  it('does not connect the inbox again after the demo user has disconnected it', async () => {
    const remove = await withDatabase(stack, (sql) => sql`delete from askback.connections returning label`)
    expect(remove.map(({ label }) => label)).toEqual(['Local inbox'])
    const { dataDirectory } = stack
    await stack.stop()
    stack = await startStack({ dataDirectory })
    expect(await withDatabase(stack, (sql) => sql`select label from askback.connections`)).toHaveLength(0)
  })
})

describe('npm start', () => {
  it.each(some(['SIGKILL', 'SIGTERM'] as const))('is over when npm itself gets %s', async (signal) => {
    const data = join(directory, 'data')
    await copyTemplate(data)
    const env = { ...process.env, ASKBACK_PORT: '0', ASKBACK_DATA_DIR: data }
    const npm = spawn('npm', ['start'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface(npm.stdout)) if (line.startsWith('ready ')) break
    const { pids } = JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8'))
    npm.kill(signal)
    for (const name of ['stack', 'postgres']) expect(await waitForEnd(pids[name], 15_000), name).toBe(true)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends every process on %s', async (signal) => {
    const stack = await start({ functionsDirectory: probes })
    await fetch(`${stack.url}/functions/v1/probe/echo`)
    const pids = stack.pids()
    expect(Object.keys(pids).sort()).toEqual(['postgres', 'probe', 'stack'])
    const answer = await fetch(`${stack.url}/functions/v1/probe/endless`)
    process.kill(pidOf(pids, 'stack'), signal)
    for (const [name, pid] of Object.entries(pids)) expect(await waitForEnd(pid, 15_000), name).toBe(true)
    expect(existsSync(join(stack.dataDirectory, 'stack.json'))).toBe(false)
    await expect(answer.text()).rejects.toThrow()
  })

  it.each(some(['postgres.new', 'keys.json', 'postgres/postmaster.pid']))(
    'ends every process when it is interrupted while it starts, as soon as %s is there',
    async (file) => {
      const data = join(directory, 'data')
      const { child, output } = spawnStack({ dataDirectory: data })
      await expect.poll(() => existsSync(join(data, file)), { interval: 1, timeout: 20_000 }).toBe(true)
      child.kill('SIGINT')
      const [code] = await once(child, 'close')
      expect(output()).toBe('')
      expect(code).toBe(0)
      expect(findProcesses(directory)).toEqual([])
      const { stop } = await start()
      await stop()
    },
  )

  it('ends with the program that has started it, also when that is killed', async () => {
    const program = `
      const { startStack } = await import(${JSON.stringify(join(project, 'support/stack.ts'))})
      const { pids } = await startStack({ dataDirectory: ${JSON.stringify(join(directory, 'data'))} })
      console.log(JSON.stringify(pids()))`
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      cwd: project,
    })
    const [line] = await once(parent.stdout, 'data')
    const pids: Record<string, number> = JSON.parse(line)
    parent.kill('SIGKILL')
    for (const [name, pid] of Object.entries(pids)) expect(await waitForEnd(pid, 15_000), name).toBe(true)
  })

  it.each(some(['SIGINT', 'SIGTERM'] as const))(
    'ends on %s also when its data directory was deleted',
    async (signal) => {
      const { dataDirectory, pids } = await start({ functionsDirectory: probes })
      const processes = pids()
      rmSync(dataDirectory, { recursive: true })
      process.kill(pidOf(processes, 'stack'), signal)
      for (const [name, pid] of Object.entries(processes))
        expect(await waitForEnd(pid, 20_000), name).toBe(true)
    },
  )

  it('says once that its data directory was deleted when the database ends of it, and ends on SIGINT', async () => {
    const stack = await start()
    const processes = stack.pids()
    rmSync(stack.dataDirectory, { recursive: true })
    process.kill(pidOf(processes, 'postgres'), 'SIGKILL')
    const told = () => stack.output().match(/^\[postgres\] .* was deleted/gm) ?? []
    await expect.poll(told, { timeout: 20_000 }).not.toEqual([])
    expect((await fetch(stack.url)).status).toBe(200)
    process.kill(pidOf(processes, 'stack'), 'SIGINT')
    expect(await waitForEnd(pidOf(processes, 'stack'), 20_000)).toBe(true)
    expect(told()).toHaveLength(1)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'runs the database as nobody where root may not make a user namespace (only root can see this)',
    async () => {
      // Without a PATH there is no unshare.
      const env = { PATH: '/nonexistent' }
      const first = await startNew({ env })
      const link = join(first.dataDirectory, 'postgres')
      const home = dirname(realpathSync(link))
      try {
        expect(statSync(link).uid).toBe(65534)
        expect((await signIn(first)).status).toBe(200)
        await first.stop()
        const second = await start({ env })
        expect(realpathSync(link)).toBe(join(home, 'postgres'))
        expect((await signIn(second)).status).toBe(200)
        await second.stop()
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    },
  )

  it.each([
    [{ ASKBACK_PORT: 'abc' }, /^ASKBACK_PORT is "abc"/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is not a PostgreSQL address/],
    [{ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x' }, /^The PostgreSQL of DATABASE_URL does not answer/],
  ])('says in a sentence what is wrong with %j', async (env, sentence) => {
    const { code, output } = await runToEnd(join(directory, 'data'), env)
    expect(code).toBe(1)
    expect(output).toMatch(sentence)
    expect(output).not.toContain('\n')
  })

  it('recovers the data directory of a stack that was killed, whether or not its database was', async () => {
    const first = await start({ functionsDirectory: probes })
    await fetch(`${first.url}/functions/v1/probe/echo`)
    const firstPids = first.pids()
    const [stack, postgres] = [pidOf(firstPids, 'stack'), pidOf(firstPids, 'postgres')]
    const orphan = identifyProcess(postgres)
    process.kill(stack, 'SIGKILL')
    expect(await waitForEnd(stack, 5000)).toBe(true)
    // A function notices by itself that its stack is gone; the database is found by the next stack.
    expect(await waitForEnd(pidOf(firstPids, 'probe'), 10_000)).toBe(true)
    expect(identifyProcess(postgres)).toBe(orphan)
    const second = await start()
    expect(identifyProcess(postgres)).toBeUndefined()
    expect((await signIn(second)).status).toBe(200)
    const secondPids = second.pids()
    for (const name of ['stack', 'postgres']) process.kill(pidOf(secondPids, name), 'SIGKILL')
    expect(await waitForEnd(pidOf(secondPids, 'stack'), 5000)).toBe(true)
    expect(existsSync(join(second.dataDirectory, 'postgres/postmaster.pid'))).toBe(true)
    const third = await start()
    expect((await signIn(third)).status).toBe(200)
  })

  it('starts the database again when it crashes, and answers every request meanwhile', async () => {
    const stack = await start()
    const before = pidOf(stack.pids(), 'postgres')
    expect(await readTools(stack)).toBe(200)
    const caught = Array.from({ length: 30 }, () => readTools(stack))
    process.kill(before, 'SIGKILL')
    for (const status of await Promise.all(caught)) expect([200, 503]).toContain(status)
    await expect.poll(() => readTools(stack), { timeout: 20_000 }).toBe(200)
    expect(await Promise.all(Array.from({ length: 30 }, () => readTools(stack)))).toEqual(Array(30).fill(200))
    const file = JSON.parse(readFileSync(join(stack.dataDirectory, 'stack.json'), 'utf8'))
    expect(file.databaseUrl).toBe(stack.databaseUrl)
    expect(file.pids.postgres).not.toBe(before)
    expect((await signIn(stack)).status).toBe(200)
    await stack.stop()
  })

  it('refuses a data directory that another PostgreSQL has made, and leaves it as it is', async () => {
    const folder = join(directory, 'older')
    mkdirSync(join(folder, 'postgres'), { recursive: true })
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '14\n')
    const { code, output } = await runToEnd(folder)
    expect(code).toBe(1)
    expect(output).toMatch(
      /was made by PostgreSQL 14, and this is PostgreSQL \d+\. Nothing was changed\. Set ASKBACK_DATA_DIR/,
    )
    expect(readdirSync(folder)).toEqual(['postgres'])
    expect(readdirSync(join(folder, 'postgres'))).toEqual(['PG_VERSION'])
  })

  it('works on the PostgreSQL of DATABASE_URL, also when another data directory has used it before', async () => {
    const folder = join(directory, 'other')
    mkdirSync(folder)
    const database = await startEmbeddedPostgres({
      binaries: testPostgres(),
      dataDirectory: folder,
      password: 'secret',
      ports: openPortMemory(folder),
      onChange: () => {},
    })
    try {
      const first = await start({
        dataDirectory: join(directory, 'first'),
        env: { DATABASE_URL: database.adminUrl },
      })
      expect(first.databaseUrl).toBe(database.adminUrl)
      expect(first.pids()).toEqual({ stack: expect.any(Number) })
      expect(existsSync(join(first.dataDirectory, 'postgres'))).toBe(false)
      expect((await signIn(first)).status).toBe(200)
      expect(await first.inbox.messages()).toEqual([])
      await first.stop()

      const proxy = await startTcpProxy(Number(new URL(database.adminUrl).port))
      const throughProxy = Object.assign(new URL(database.adminUrl), { port: String(proxy.port) }).href
      const second = await start({
        dataDirectory: join(directory, 'second'),
        env: { DATABASE_URL: throughProxy },
      })
      expect((await signIn(second)).status).toBe(200)
      expect(await readTools(second)).toBe(200)
      // While it is away, requests are answered at once, and it goes on when it is back.
      await proxy.takeDown()
      const caught = await Promise.all(Array.from({ length: 30 }, () => readTools(second)))
      expect(caught).toEqual(Array(30).fill(503))
      await proxy.putUp()
      await expect.poll(() => readTools(second), { timeout: 20_000 }).toBe(200)
      await proxy.takeDown()
      await second.stop()
    } finally {
      await database.close()
    }
  })
})
