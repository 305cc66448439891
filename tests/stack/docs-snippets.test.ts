import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp, withDatabase } from '../../support/chat-user.ts'
import { moduleOf, readPage } from '../../support/docs-pages.ts'
import { blocksIn, commandsIn } from '../../support/readme-blocks.ts'
import { project, startStack, type TestStack } from '../../support/stack.ts'

/** What the pages have readers try against the local stack, tried there with the demo model. */
let stack: TestStack
let folder: string

beforeAll(async () => {
  stack = await startStack()
  folder = mkdtempSync(join(tmpdir(), 'askback-docs-'))
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, '.askback'))
  copyFileSync(join(stack.dataDirectory, 'stack.json'), join(folder, '.askback/stack.json'))
})
afterAll(async () => {
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the TypeScript of a page, with `more` behind it; resolves to what it printed. */
async function runPage(page: string, more = ''): Promise<string> {
  writeFileSync(join(folder, 'try.mts'), `${moduleOf(page, { withModel: false, ofProject: false })}\n${more}`)
  const { stdout } = await promisify(execFile)('node_modules/.bin/tsx', ['try.mts'], { cwd: folder })
  return stdout
}

it('answers the snippet of the README', async () => {
  const more = 'console.log(JSON.stringify([data.status, data.toolsUsed.length, data.pending]))'
  expect(JSON.parse(await runPage('README.md', more))).toEqual(['completed', 2, null])
  expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
  await stack.inbox.clear()
})

it('answers the snippets of "Embedding", in their order', async () => {
  const more = `
    const { data: left } = await supabase.functions.invoke('chat/conversations', { method: 'GET' })
    console.log(JSON.stringify({
      answer: Object.keys(answer), asked: asked.status, found: hits.conversations.map(({ id, match }) => id === answer.conversationId && 'title' in match),
      messages: one.messages.length, times: Object.keys(one.times).length, listed: list.conversations.length, left: left.conversations.length,
    }))`
  const lines = (await runPage('docs/embedding.md', more)).trim().split('\n')
  const said = lines.join('\n')
  expect(lines[0]).toMatch(/^completed: I sent the email .+ ada@example\.com/)
  expect(said).toContain("code: 'bad_request'")
  expect(said).toContain('"message" is missing.')
  expect(said).toMatch(/I sent the email .+ ada@example\.com/)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    answer: expect.arrayContaining(['conversationId', 'status', 'text', 'toolsUsed']),
    asked: 'needs_input',
    found: [true],
    messages: 4,
    times: 4,
    listed: 3,
    left: 2,
  })
  expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([
    ['ada@example.com'],
    ['bob@example.com'],
    ['ada@example.com'],
  ])
})

it('takes the agent, its model and its permissions as "Agents" says', async () => {
  const more = 'console.log(agent.id.length, allowed.permissions[0].used)'
  expect(await runPage('docs/agents.md', more)).toBe('36 0\n')
})

it('gives all users the agent of "Agents", which only the server changes', async () => {
  const statements = blocksIn(readPage('docs/agents.md')).filter(({ language }) => language === 'sql')
  const { own, kept } = await withDatabase(stack, async (sql) => {
    for (const { text } of statements) await sql.unsafe(text)
    const user = await signUp(stack)
    const own = await sql`select name, tool_access from askback.agents where user_id = ${user.id}`
    const tables = ['agents', 'agent_tool_permissions', 'agent_llm_preferences']
    const kept = await sql`
      select name, privilege
      from unnest(${tables}::text[]) name, unnest(array['insert', 'update', 'delete']) privilege
      where has_table_privilege('authenticated', 'askback.' || name, privilege)
        or (privilege <> 'delete' and has_any_column_privilege('authenticated', 'askback.' || name, privilege))`
    return { own: [...own], kept: [...kept] }
  })
  expect(own).toEqual([{ name: 'Front desk', tool_access: 'all' }])
  expect(kept).toEqual([])
})

it('makes a token and lists agents as "OpenAI clients" says', async () => {
  const [url, ...commands] = blocksIn(readPage('docs/openai-clients.md'))
    .filter(({ language }) => language === 'sh')
    .flatMap(commandsIn)
  expect(url).toBe('URL=http://127.0.0.1:54321')
  const [signIn = '', make = '', list = ''] = commands
  const run = async (command: string, env: Record<string, string>) => {
    const all = { PATH: process.env.PATH, URL: stack.url, ASKBACK_DATA_DIR: stack.dataDirectory, ...env }
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: project, env: all })
    return JSON.parse(stdout)
  }
  const { token } = await run(`${signIn}\n${make}`, {})
  expect(token).toMatchObject({ name: 'Open WebUI', value: expect.stringMatching(/^askb_/) })
  const models = await run(list, { TOKEN: token.value })
  expect(models.data).toHaveLength(1)
})
