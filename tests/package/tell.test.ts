import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from '../../local/process/free-port.ts'
import { environment, installed } from '../../scripts/platform.ts'
import { askback } from '../../support/askback-command.ts'
import { type DevelopedProject, develop } from '../../support/developed-project.ts'
import { readPage } from '../../support/docs-pages.ts'
import { blocksIn, commandsIn } from '../../support/readme-blocks.ts'
import { makeSupabaseProject, writeFiles } from '../../support/supabase-project.ts'

// What docs/away.md has a team do in an empty project, word for word: an email and a message in Slack when something waits.

const blocks = blocksIn(readPage('docs/away.md'))
const textOf = (language: string, mark: string) =>
  blocks.find((block) => block.language === language && block.text.includes(mark))?.text ?? ''
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(commandsIn)
const commandsOf = (mark: string) => commands.filter((command) => command.includes(mark))

let folder: string
let running: DevelopedProject
let slack: ChildProcess
/** What the stand-in for Slack has printed: the bodies of the requests. */
let posted = ''

const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })

beforeAll(async () => {
  const port = String(await findFreePort(0))
  const [standIn = ''] = commandsOf('node -e')
  slack = spawn('sh', ['-c', `exec ${standIn.replace('4000', port)}`])
  slack.stdout?.setEncoding('utf8').on('data', (text) => {
    posted += text
  })
  folder = makeSupabaseProject()
  expect(await askback(folder, ['add', '--yes', '--integrations', 'smtp'])).toMatchObject({ code: 0 })
  for (const command of commandsOf('npx supabase '))
    execFileSync(installed('supabase'), command.split(' ').slice(2), {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const [migration = ''] = run('ls supabase/migrations/*_told.sql').split('\n')
  const config = readFileSync(`${folder}/supabase/config.toml`, 'utf8')
  writeFiles(folder, {
    'supabase/config.toml': config.replace(/(\[functions\.tell-\w+\][^[]*verify_jwt = )\w+/g, '$1false'),
    'supabase/functions/tell-mail/index.ts': textOf('js', 'nodemailer'),
    'supabase/functions/tell-slack/index.ts': textOf('js', 'chat.postMessage'),
    [migration]: `${textOf('sql', 'create table public.mailed_digests')}\n${textOf('sql', 'create table public.told_in_slack')}`,
  })
  running = await develop(folder)
  const [mailLine = ''] = commandsOf('node -p "const').map(run)
  await running.stop()
  const env = textOf('ini', 'SLACK_TOKEN').replace(/^ *TELL_SMTP_URL=.*$/m, mailLine.trim())
  const kept = readFileSync(`${folder}/supabase/functions/.env`, 'utf8')
  writeFiles(folder, { 'supabase/functions/.env': `${kept}\n${env}\nSLACK_API=http://127.0.0.1:${port}\n` })
  running = await develop(folder)
  const [key = '', ...rows] = [...commandsOf('SECRET_KEY='), ...commandsOf('/rest/v1/on_open')]
  expect(rows).toHaveLength(2)
  const write = rows.map((row) => row.replaceAll('http://127.0.0.1:54321', running.url)).join('\n')
  // As often as somebody runs it.
  expect(run(`${key}\n${write}\n${write}`)).toBe('')
})
afterAll(async () => {
  await running?.stop()
  slack.kill()
  rmSync(folder, { recursive: true, force: true })
})

it('is set up as the page says, and tells of what waits and how it was decided', async () => {
  const { publishableKey, demoUser } = running.stack()
  const signedIn = await fetch(`${running.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(demoUser),
  })
  const { access_token } = await signedIn.json()
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) =>
    (
      await fetch(`${running.url}/functions/v1/chat${path}`, { method, headers, body: JSON.stringify(body) })
    ).json()
  const inbox = async () => (await fetch(`${running.url}/inbox/messages`)).json()

  const answer = await send('POST', '', { id: 'c', message: 'Send an email to ada@example.com about lunch' })
  expect(answer.pending, running.problems()).toHaveLength(1)
  await expect.poll(() => posted, { timeout: 60_000 }).toContain('/open#askl_')
  expect(posted).toContain('asks:')
  await expect.poll(async () => (await inbox()).length, { timeout: 60_000 }).toBe(1)
  const [mail] = await inbox()
  expect(mail).toMatchObject({ from: 'agents@example.com', to: ['oncall@example.com'] })
  expect(mail.text).toContain('/open#askl_')
  expect((await send('PATCH', '/digest', { minutes: 15 })).digest).toMatchObject({ isPossible: true })

  const [{ toolCallId, approvalId }] = answer.pending
  await send('POST', '/c/approval', { toolCallId, approvalId, decision: 'approve' })
  await expect.poll(() => posted, { timeout: 60_000 }).toContain('_Approved_')
  expect(posted).toContain('"ts":"1"')
  expect(posted.match(/asks:/g)).toHaveLength(4)
}, 180_000)
