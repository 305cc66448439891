import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { signRing } from '../../supabase/functions/chat/bell/sign-ring.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { readPage } from '../../support/docs-pages.ts'
import { callTool, say } from '../../support/model-server.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

// The functions that docs/away.md has teams write, as they stand there, told by a running stack.

const chat = useStarted(() => startChatStack())
const [byMail = '', toSlack = ''] = blocksIn(readPage('docs/away.md'))
  .filter(({ language }) => language === 'js')
  .map(({ text }) => text)
const tableOf = (name: string) =>
  blocksIn(readPage('docs/away.md')).find(
    ({ language, text }) => language === 'sql' && text.includes(`create table public.${name} `),
  )?.text ?? ''
const secret = 'a long random text'

/** Runs an example under Deno; resolves to its address. */
async function serve(source: string, env: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'askback-example-'))
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(project, 'package.json'), join(folder, 'package.json'))
  writeFileSync(join(folder, 'index.js'), source)
  writeFileSync(
    join(folder, 'serve.js'),
    `const { serve } = Deno
     Object.defineProperty(Deno, 'serve', { value: (handler) =>
       serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log('on ' + port) }, handler) })
     await import('./index.js')`,
  )
  const child: ChildProcess = spawn(
    findDeno(),
    ['run', '--allow-all', '--node-modules-dir=manual', '--cached-only', 'serve.js'],
    { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, TELL_SECRET: secret, ...env } },
  )
  onTestFinished(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ''
  const port = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const [, found] = /^on (\d+)$/m.exec(printed) ?? []
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(printed)))
  })
  const url = `http://127.0.0.1:${port}/`
  await withDatabase(chat.stack, async (sql) => {
    await sql`delete from askback.on_open`
    await sql`insert into askback.on_open (url, secret) values (${url}, ${secret})`
  })
  return url
}

async function asked(subject = 'Lunch') {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  const mail = { to: ['ada@example.com'], subject, body: 'At noon?' }
  chat.model.use([callTool('smtp_send_email', mail), ...Array(3).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Ask ada@example.com to lunch' })
  return { user, item: answer.pending?.[0] as { itemId: string; toolCallId: string; approvalId: string } }
}

const wake = async () => {
  const headers = { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) }
  await fetch(`${chat.stack.url}/functions/v1/chat/clock`, { method: 'POST', headers })
}

it('the function that mails sends one mail, to whoever is on call, and takes nothing unsigned', async () => {
  const { host, port, user, password } = chat.stack.smtp
  const url = await serve(byMail, {
    TELL_SMTP_URL: `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}?requireTLS=true`,
    DENO_CERT: join(chat.stack.dataDirectory, 'inbox-authority.pem'),
    TELL_FROM: 'agents@example.com',
    TELL_TO: 'oncall@example.com',
  })
  await asked()
  await wake()
  const mails = () => chat.stack.inbox.messages()
  await expect.poll(async () => (await mails()).length).toBe(1)
  const [mail] = await mails()
  expect(mail).toMatchObject({ to: ['oncall@example.com'], subject: 'Mail agent asks' })
  expect(mail?.text).toContain('Lunch')
  expect(mail?.text).toContain(`${chat.stack.url}/open#askl_`)
  expect(mail?.text).not.toContain('At noon?')
  const forged = await fetch(url, {
    method: 'POST',
    headers: { 'x-askback-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
    body: JSON.stringify({ type: 'opened' }),
  })
  expect(forged.status).toBe(401)
  expect(await mails()).toHaveLength(1)
})

it('the function that mails sends a digest once, with the headers by which mail programs end them', async () => {
  const { host, port, user, password } = chat.stack.smtp
  await withDatabase(chat.stack, (sql) => sql.unsafe(tableOf('mailed_digests')))
  const url = await serve(byMail, {
    TELL_SMTP_URL: `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}?requireTLS=true`,
    DENO_CERT: join(chat.stack.dataDirectory, 'inbox-authority.pem'),
    TELL_FROM: 'agents@example.com',
    TELL_TO: 'oncall@example.com',
    SUPABASE_URL: chat.stack.url,
    SUPABASE_SERVICE_ROLE_KEY: chat.stack.keys.secretKey,
  })
  const [update = ''] = blocksIn(readPage('docs/away.md'))
    .filter(({ language, text }) => language === 'sql' && text.startsWith('update askback.on_open'))
    .map(({ text }) => text)
  await withDatabase(chat.stack, (sql) => sql.unsafe(update.replace(/url = '.*'/, `url = '${url}'`)))
  const { user: reader } = await asked()
  await reader.send('PATCH', '/digest', { minutes: 5 })
  await withDatabase(
    chat.stack,
    (sql) => sql`
      update askback.open_items set asked_at = now() - interval '6 minutes' where user_id = ${reader.id}`,
  )
  const digests = async () =>
    (await chat.stack.inbox.messages()).filter(({ to }) => to.includes(reader.email))
  await wake()
  await expect.poll(async () => (await digests()).length).toBe(1)
  const [mail] = await digests()
  expect(mail).toMatchObject({ subject: 'Something is waiting for an answer' })
  expect(mail?.text).toContain('Lunch')
  expect(mail?.text).toContain(`${chat.stack.url}/open#askl_`)
  expect(mail?.text).not.toContain('At noon?')
  const headers = mail?.headers.map((line) => line.replace(/\r?\n\s*/g, ' ')) ?? []
  const [, address = ''] = /List-Unsubscribe:\s*<([^>]+)>/.exec(headers.join('\n')) ?? []
  expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')

  // The same request again, as a platform may repeat it.
  const [sent] = await withDatabase(
    chat.stack,
    (sql) => sql`select id from askback.digests where user_id = ${reader.id}`,
  )
  const body = JSON.stringify({
    type: 'digest',
    to: reader.email,
    subject: 'Again',
    text: 'Again',
    unsubscribe: address,
  })
  const again = await fetch(url, {
    method: 'POST',
    headers: { 'x-askback-signature': await signRing(secret, body), 'x-askback-delivery': sent?.id },
    body,
  })
  expect([again.status, await again.text()]).toEqual([200, 'ok'])
  await wake()
  expect(await digests()).toHaveLength(1)

  const ended = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(ended.status).toBe(200)
  expect((await reader.get('/digest')).body).toMatchObject({ digest: { minutes: null, isPossible: true } })
})

/** The example that posts to Slack, told by the bell; what it has posted. */
async function startSlack() {
  const posts: { path: string; body: Record<string, unknown> }[] = []
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
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void slack.close())
  await withDatabase(chat.stack, async (sql) => {
    await sql`drop table if exists public.told_in_slack`
    await sql.unsafe(tableOf('told_in_slack'))
  })
  await serve(toSlack, {
    SLACK_API: `http://127.0.0.1:${(slack.address() as AddressInfo).port}`,
    SLACK_TOKEN: 'xoxb-token',
    SLACK_CHANNEL: 'C1',
    SUPABASE_URL: chat.stack.url,
    SUPABASE_SERVICE_ROLE_KEY: chat.stack.keys.secretKey,
  })
  return posts
}

/** What has come of the newest attempt. */
const attempt = () =>
  withDatabase(chat.stack, async (sql) => {
    const [row] = await sql`select status, heard_at is not null as "isHeard" from askback.rings`
    return row
  })

/** So much time goes by for what was told. */
const goBy = (time: string) =>
  withDatabase(
    chat.stack,
    (sql) => sql`
      update askback.rings set
        created_at = created_at - ${time}::interval, tried_at = tried_at - ${time}::interval,
        heard_at = heard_at - ${time}::interval, next_at = next_at - ${time}::interval`,
  )

it('the function that posts to Slack posts a button, reminds of it, and edits its message once the item is closed', async () => {
  const posts = await startSlack()
  await withDatabase(
    chat.stack,
    (sql) => sql`
      insert into askback.tool_approvers (tool_name, who, remind_every)
      values ('smtp_send_email', 'user', '1 day')`,
  )
  const { user, item } = await asked('<!channel> & <https://evil.example|Approve>')
  await wake()
  await expect.poll(() => posts.length).toBe(1)
  expect(posts[0]?.path).toBe('/chat.postMessage')
  // What an agent writes calls nobody, and is no link.
  expect(JSON.stringify(posts[0]?.body)).not.toContain('<')
  expect(posts[0]?.body.text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|Approve&gt;')
  expect(JSON.stringify(posts[0]?.body)).toContain(`"url":"${chat.stack.url}/open#askl_`)
  await expect.poll(attempt).toEqual({ status: 200, isHeard: true })
  await goBy('1 day')
  await wake()
  await expect.poll(() => posts.length).toBe(2)
  expect(posts[1]).toEqual({
    path: '/chat.postMessage',
    body: {
      channel: 'C1',
      thread_ts: '17.42',
      reply_broadcast: true,
      text: 'Reminder: this is waiting for the user.',
    },
  })
  await user.post(decisionOn(item, 'approve'), { path: '/c/approval' })
  await wake()
  await expect.poll(() => posts.length).toBe(3)
  expect(posts[2]).toMatchObject({ path: '/chat.update', body: { ts: '17.42' } })
  expect(JSON.stringify(posts[2]?.body)).toContain('_Approved_')
  expect(JSON.stringify(posts[2]?.body)).not.toContain('<')
})

it('the function that posts to Slack takes back a message that it could not remember, and posts it with the next attempt', async () => {
  const posts = await startSlack()
  await withDatabase(chat.stack, (sql) => sql`revoke insert on public.told_in_slack from service_role`)
  await asked()
  await wake()
  await expect.poll(() => posts.map(({ path }) => path)).toEqual(['/chat.postMessage', '/chat.delete'])
  expect(posts[1]?.body).toEqual({ channel: 'C1', ts: '17.42' })
  await expect.poll(attempt).toEqual({ status: 500, isHeard: false })
  await withDatabase(chat.stack, (sql) => sql`grant all on public.told_in_slack to service_role`)
  await goBy('30 seconds')
  await wake()
  await expect.poll(() => posts.length).toBe(3)
  expect(posts[2]?.path).toBe('/chat.postMessage')
  await expect.poll(attempt).toEqual({ status: 200, isHeard: true })
})
