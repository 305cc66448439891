/**
 * `npm run lab -- measure:add`: how long it takes from `npx askback add` in a new Supabase project to its first mail, with what `npm run build`
 * has made: add, dev, one message, one mail in the inbox.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, installed, root } from '../../scripts/platform.ts'

const project = mkdtempSync(join(tmpdir(), 'askback-time-'))
const command = join(root, 'dist/askback/bin/askback.js')
spawnSync(installed('supabase'), ['init'], {
  cwd: project,
  env: environment,
  stdio: ['ignore', 'ignore', 'inherit'],
})
mkdirSync(join(project, 'node_modules'))
symlinkSync(join(root, 'dist/askback-local'), join(project, 'node_modules/askback-local'))

const begun = performance.now()
const say = (what: string) =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${what}`)
spawnSync(process.execPath, [command, 'add', '--yes'], {
  cwd: project,
  stdio: ['ignore', 'ignore', 'inherit'],
})
say('added')
const stack = spawn(process.execPath, [command, 'dev'], {
  cwd: project,
  env: { ...process.env, ASKBACK_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  let url = ''
  for await (const line of createInterface({ input: stack.stdout })) {
    url = /^ready (\S+)$/.exec(line)?.[1] ?? ''
    if (url) break
  }
  if (!url) throw new Error('The stack did not start.')
  say('ready')
  const { publishableKey, demoUser } = JSON.parse(readFileSync(join(project, '.askback/stack.json'), 'utf8'))
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        apikey: publishableKey,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    })
    return await response.json()
  }
  const { access_token: token } = await post('/auth/v1/token?grant_type=password', demoUser)
  const message = 'Send an email about the meeting to ada@example.com'
  const { conversationId, pending } = await post('/functions/v1/chat', { message }, token)
  const [{ toolCallId, approvalId }] = pending
  const approval = { toolCallId, approvalId, decision: 'approve' }
  const { status, text } = await post(`/functions/v1/chat/${conversationId}/approval`, approval, token)
  say(`answered: ${status}, ${text}`)
  const mails = await (await fetch(`${url}/inbox/messages`)).json()
  say(`${mails.length} mail in the inbox`)
  process.exitCode = mails.length === 1 ? 0 : 1
} finally {
  stack.kill('SIGTERM')
  await new Promise((resolve) => stack.once('exit', resolve))
  rmSync(project, { recursive: true, force: true })
}
