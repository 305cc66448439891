import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForEnd } from '../../local/process/running-process.ts'
import { copyCheckout } from '../../support/checkout-copy.ts'
import { moduleOf, readPage } from '../../support/docs-pages.ts'
import { gate } from '../../support/gate.ts'
import { callTool, type ModelServer, say, startModelServer } from '../../support/model-server.ts'
import { blocksUnder, commandsIn } from '../../support/readme-blocks.ts'
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts'

/** "Add a tool" of docs/tools.md, line by line, in a copy of the checkout; only the provider and the model are ours. */
const blocks = blocksUnder(readPage('docs/tools.md'), 'Add a tool')
/** Nothing is deployed, and `npm run check` takes a minute. */
const notRun = ['npm run check', 'npx supabase db push', 'npx supabase functions deploy']

const task = { id: '7', title: 'Repair the printer' }

let checkout: string
let provider: ScriptedProvider
let model: ModelServer
let stack: { child: ChildProcess; output: () => string }
let pids: Record<string, number> = {}

beforeAll(async () => {
  checkout = copyCheckout()
  provider = await startScriptedProvider({
    '/v1/search': { items: [task] },
    '/v1/me': { email: 'ada@example.com' },
  })
  model = await startModelServer([
    callTool('tasks_find', { query: 'printer' }),
    say('There is one: Repair the printer.'),
  ])
  for (const command of ['git init', 'git add .', 'git commit -m before']) await run(command)
})
afterAll(async () => {
  stack?.child.kill('SIGTERM')
  for (const pid of Object.values(pids)) await waitForEnd(pid, 15_000)
  await model?.close()
  rmSync(checkout, { recursive: true, force: true })
})

const readStack = () => JSON.parse(readFileSync(join(checkout, '.askback/stack.json'), 'utf8'))

/** What is set where somebody follows the walk: no settings of this machine. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  const who = { name: 'Ada', email: 'ada@example.com' }
  return {
    ...{ PATH, HOME, TMPDIR },
    ...{ GIT_AUTHOR_NAME: who.name, GIT_AUTHOR_EMAIL: who.email },
    ...{ GIT_COMMITTER_NAME: who.name, GIT_COMMITTER_EMAIL: who.email },
    ASKBACK_PORT: '0',
    TASKS_API_BASE_URL: provider.url,
    OPENAI_API_KEY: 'any',
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'scripted-model',
  }
}

/** Runs a command of the walk in the copy; `output` is what it said on both streams. */
function run(command: string): Promise<{ code: number; stdout: string; output: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: checkout, env: environment() }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, output: `${stdout}${stderr}` }),
    )
  })
}

async function start(): Promise<void> {
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  stack = { child, output: () => said }
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      said += `${line}\n`
      if (line.startsWith('ready ')) resolve()
    })
    child.once('exit', () => reject(new Error(`npm start ended: ${said}`)))
  })
  pids = JSON.parse(readFileSync(join(checkout, '.askback/stack.json'), 'utf8')).pids
}

/** Takes the lines with - out of the file that the block names, and puts those with + in. */
function edit(diff: string): void {
  const path = join(checkout, /^--- (\S+)$/m.exec(diff)?.[1] ?? '')
  const line = (sign: string) => new RegExp(`^\\${sign}(?!\\${sign})(.*)$`, 'm').exec(diff)?.[1] ?? ''
  const before = readFileSync(path, 'utf8')
  expect(before).toContain(line('-'))
  writeFileSync(path, before.replace(line('-'), line('+')))
}

/** Runs the TypeScript of the page, after the lines that sign the demo user in. */
async function runSnippet(): Promise<string> {
  writeFileSync(join(checkout, 'try.mts'), moduleOf('docs/tools.md', { ofProject: false }) ?? '')
  const { stdout } = await run('npx tsx try.mts')
  rmSync(join(checkout, 'try.mts'))
  return stdout
}

/** What each command must say, and how it ends. */
const saysOf = new Map<string, { says: RegExp; code?: number }>([
  ['npm run new-integration -- tasks', { says: /^supabase\/functions\/tasks-api\/integration\.ts$/m }],
  ['npm test -- tests/functions/tasks-api.test.ts', { says: /^\d+ passed, 0 failed, 0 skipped$/m }],
  [
    `npm run call -- tasks_find '{}'`,
    {
      says: /^Question: Which tasks should I look for\? Please provide words from their titles\.$/m,
      code: 1,
    },
  ],
  [
    `npm run call -- tasks_find '{"words":"printer","limit":"3",}'`,
    { says: /Question: .*Tasks[\s\S]*repaired: query/, code: 1 },
  ],
  [`npm run call -- tasks_find '{"query":"printer"}'`, { says: /"found": \[/ }],
  ['git add supabase tests', { says: /^$/ }],
  ['git commit -m "Add a list of tasks"', { says: /8 files changed/ }],
])

/** What the page has readers do in the web app before the call that shows the change. */
async function connect(): Promise<void> {
  const { url, publishableKey, demoUser } = readStack()
  const post = async (path: string, body: unknown, token?: string) =>
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        apikey: publishableKey,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    })
  const { access_token } = await (await post('/auth/v1/token?grant_type=password', demoUser)).json()
  const connection = { provider: 'tasks', values: { api_key: 'a-key' } }
  const made = await post('/functions/v1/integration-settings/connections', connection, access_token)
  expect(made.status, await made.text()).toBe(201)
}

it('works as it is written, up to the deployment', { timeout: 120_000 }, async () => {
  const ran: string[] = []
  for (const { language, text } of blocks) {
    if (language === 'diff') edit(text)
    else if (text.startsWith('// supabase/')) {
      const [, path = '', excerpt = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
      expect(readFileSync(join(checkout, path), 'utf8')).toContain(excerpt)
    } else if (text.includes('supabase.functions.invoke')) {
      expect(await runSnippet()).toBe('There is one: Repair the printer.\n')
    } else if (language === 'sh') {
      for (const command of commandsIn({ language, text })) {
        ran.push(command)
        if (notRun.includes(command)) continue
        if (command === 'npm start') {
          await start()
          continue
        }
        if (command.includes('{"query":"printer"}')) await connect()
        const expected = saysOf.get(command)
        expect(expected, `the test does not know: ${command}`).toBeDefined()
        const { code, output } = await run(command)
        expect(output, command).toMatch(expected?.says ?? /^$/)
        expect(code, output).toBe(expected?.code ?? 0)
      }
    }
  }
  expect(new Set(ran)).toEqual(new Set([...saysOf.keys(), ...notRun, 'npm start']))
})

// Their types are checked where the templates are: by `npm run check`.
it('leaves files that are well formed, and a catalogue that is fresh and committed', async () => {
  const made = 'supabase/functions/tasks-api tests/functions/tasks-api.test.ts'
  const checks = [
    `node_modules/.bin/biome ci ${made}`,
    'node_modules/.bin/tsx scripts/integrations.ts --check',
  ]
  for (const { code, output } of await Promise.all(checks.map(run))) expect(code, output).toBe(0)
  expect((await run('git status --porcelain')).output).toBe('')
  const { output } = await run('git show --name-only --format=')
  expect(output).toMatch(/^supabase\/migrations\/\d+_catalogue\.sql$/m)
})

it('runs what was edited', async () => {
  expect((await run(`npm run call -- tasks_find '{"query":"printer"}'`)).output).toContain('"found": [')
})

it('lets a run end that was under way when the code of chat changed, though its client has left', async () => {
  const { url, publishableKey, demoUser } = readStack()
  const post = (path: string, headers: Record<string, string>, body: unknown, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: publishableKey, ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  const session = await post('/auth/v1/token?grant_type=password', {}, demoUser)
  const headers = { authorization: `Bearer ${(await session.json()).access_token}` }
  const { opened: held, open: goOn } = gate()
  model.use(async () => {
    await held
    return say('The old code has ended its run.')
  })
  const client = new AbortController()
  const body = { id: 'under-way', message: 'Hello' }
  const left = post('/functions/v1/chat', headers, body, client.signal).catch((error) => error.name)
  await model.waitForRequest()
  client.abort()
  expect(await left).toBe('AbortError')
  appendFileSync(join(checkout, 'supabase/functions/chat/app.ts'), '\n// changed\n')
  await expect.poll(stack.output, { timeout: 20_000 }).toContain('[chat] has changed')
  const conversation = async () =>
    (await fetch(`${url}/functions/v1/chat/conversations/under-way`, { headers })).text()
  expect(await conversation()).not.toContain('The old code')
  goOn()
  await expect.poll(conversation, { timeout: 20_000 }).toContain('The old code has ended its run.')
})

it('finds a tool that was added while the stack runs, and says what is wrong with one that cannot be read', async () => {
  const path = join(checkout, 'supabase/functions/tasks-api/integration.ts')
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, before.replace("'tasks_find'", "'tasks_search'"))
  await expect.poll(stack.output, { timeout: 20_000 }).toContain('[integrations] the catalog has changed')
  const { output } = await run(`npm run call -- tasks_search '{"query":"printer"}'`)
  expect(output).toContain('"found": [')
  writeFileSync(path, before.replace('export const findParameters =', 'export const findParameters = ='))
  await expect
    .poll(stack.output, { timeout: 20_000 })
    .toMatch(/^\[integrations\] tasks-api\/integration\.ts cannot be read: line \d+: Unexpected "="\.$/m)
  const called = await run(`npm run call -- tasks_search '{"query":"printer"}'`)
  expect(called.code).toBe(1)
  expect(called.output).toContain('The function "tasks-api" could not start: ')
  const again = await run('ASKBACK_DATA_DIR=other npm start')
  expect(again.code).toBe(1)
  expect(again.output).toMatch(/^tasks-api\/integration\.ts cannot be read: line \d+: Unexpected "="\.\n$/m)
  expect(again.output).not.toMatch(/^\s+at /m)
})
