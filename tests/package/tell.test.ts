import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { environment, installed } from '../../scripts/platform.ts'
import { askback } from '../../support/askback-command.ts'
import { type DevelopedProject, develop } from '../../support/developed-project.ts'
import { readPage } from '../../support/docs-pages.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { makeSupabaseProject, writeFiles } from '../../support/supabase-project.ts'

// What docs/away.md has a team do in its own project, word for word: a message in Slack when something waits.

const blocks = blocksIn(readPage('docs/away.md'))
const textOf = (language: string, mark: string) =>
  blocks.find((block) => block.language === language && block.text.includes(mark))?.text ?? ''

const posts: { path: string; body: { text: string; blocks: unknown[] } }[] = []
const slack = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    posts.push({ path: request.url ?? '', body: JSON.parse(text) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"ts":"17.42"}')
  })
})
let folder: string
let running: DevelopedProject

beforeAll(async () => {
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve))
  folder = makeSupabaseProject()
  expect(await askback(folder, ['add', '--yes', '--integrations', 'smtp'])).toMatchObject({ code: 0 })
  execFileSync(installed('supabase'), ['functions', 'new', 'tell'], {
    cwd: folder,
    env: environment,
    stdio: 'ignore',
  })
  const config = readFileSync(`${folder}/supabase/config.toml`, 'utf8')
  const env = textOf('ini', 'SLACK_TOKEN')
  writeFiles(folder, {
    'supabase/config.toml': config.replace(/(\[functions\.tell\][^[]*verify_jwt = )\w+/, '$1false'),
    'supabase/functions/tell/index.ts': textOf('js', 'chat.postMessage'),
    'supabase/functions/.env': `${env}\nSLACK_API=http://127.0.0.1:${(slack.address() as AddressInfo).port}\n`,
    'supabase/migrations/29990101000000_told.sql': textOf('sql', 'told_in_slack'),
  })
  running = await develop(folder)
})
afterAll(async () => {
  await running?.stop()
  slack.close()
  rmSync(folder, { recursive: true, force: true })
})

it('is set up as the page says, and tells of what waits and how it was decided', async () => {
  const { secretKey, publishableKey, demoUser } = running.stack()
  const [, data = ''] = /-d '(\{.*\})'/.exec(textOf('sh', 'rest/v1/on_open')) ?? []
  const written = await fetch(`${running.url}/rest/v1/on_open`, {
    method: 'POST',
    headers: {
      apikey: secretKey,
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'content-profile': 'askback',
    },
    body: data.replace('http://127.0.0.1:54321', running.url),
  })
  expect(written.status, await written.text()).toBe(201)
  const signedIn = await fetch(`${running.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(demoUser),
  })
  const { access_token } = await signedIn.json()
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (
      await fetch(`${running.url}/functions/v1/chat${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
    ).json()
  const answer = await post('', { id: 'c', message: 'Send an email to ada@example.com about lunch' })
  expect(answer.pending, running.problems()).toHaveLength(1)
  await expect.poll(() => posts.map(({ path }) => path), { timeout: 60_000 }).toEqual(['/chat.postMessage'])
  expect(posts[0]?.body.text).toContain('asks:')
  expect(JSON.stringify(posts[0]?.body.blocks)).toContain('/open#askl_')
  const [{ toolCallId, approvalId }] = answer.pending
  await post('/c/approval', { toolCallId, approvalId, decision: 'approve' })
  await expect
    .poll(() => posts.map(({ path }) => path), { timeout: 60_000 })
    .toEqual(['/chat.postMessage', '/chat.update'])
  expect(posts[1]?.body.text).toContain('_approve_')
}, 180_000)
