import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { makeClientApp } from '../../support/client-app.ts'
import { readPage } from '../../support/docs-pages.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { blocksUnder } from '../../support/readme-blocks.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { project, startStack } from '../../support/stack.ts'
import { storeConversations } from '../../support/stored-conversations.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useBrowser } from '../../support/use-browser.ts'
import installClients from '../conformance/clients/install.ts'

const run = promisify(execFile)

let folder: string
const [browser, stack] = useBrowser(() => startStack())
let server: Awaited<ReturnType<typeof preview>>

/** A chat in which conversations are listed and what is written is kept. */
const listChat = `
import { createAskback } from 'askback/client'
import 'askback/askback.css'
import { createKeptStore } from 'askback/client/kept-store'
import { Composer } from 'askback/react/composer'
import { ConversationList } from 'askback/react/conversation-list'
import { MessageList } from 'askback/react/message-list'
import { OpenLine } from 'askback/react/open-line'
import { useConversation } from 'askback/react/use-conversation'
import { useConversations } from 'askback/react/use-conversations'
import { KeptProvider } from 'askback/react/use-kept'
import { useState } from 'react'
import { supabase } from './supabase'

const askback = createAskback(supabase)
const newId = crypto.randomUUID()

function Conversation({ place, ...options }: { place: string; id: string; isNew: boolean; onChange(): void }) {
  const { messages, pending, decided, isBusy, ...chat } = useConversation(askback, options)
  const handlers = { settingsHref: '/settings', onAnswer: chat.answer, onDecide: chat.approve, onSkip: chat.skip }
  const note = <OpenLine pending={pending} decided={decided} isBusy={isBusy} onSkip={chat.skip} onProblem={alert} />
  return (
    <main>
      <MessageList messages={messages} pending={pending} decided={decided} isBusy={isBusy} handlers={handlers} />
      <Composer place={place} note={note} isBusy={isBusy} upload={askback.upload} onSend={chat.send} onStop={chat.stop} onProblem={alert} />
    </main>
  )
}

export function Chat({ userId }: { userId: string }) {
  const [store] = useState(() => createKeptStore(userId))
  const [openId, open] = useState<string>()
  const { conversations, more, refresh } = useConversations(askback)
  return (
    <KeptProvider value={store}>
      <nav aria-label="Conversations" style={{ height: '12rem', overflow: 'auto' }}>
        <ConversationList conversations={conversations} more={more} openId={openId} hrefOf={(id) => '#' + id} onOpen={open} />
      </nav>
      <Conversation key={openId} place={openId ?? 'new'} id={openId ?? newId} isNew={!openId} onChange={refresh} />
    </KeptProvider>
  )
}
`

/** A chat, and the page that its cards lead to. */
const settingsChat = `
import { useState } from 'react'
import { createAskback } from 'askback/client'
import 'askback/askback.css'
import { Composer } from 'askback/react/composer'
import { Integrations } from 'askback/react/integrations'
import { MessageList } from 'askback/react/message-list'
import { useConversation } from 'askback/react/use-conversation'
import { supabase } from './supabase'

const askback = createAskback(supabase)
const id = crypto.randomUUID()

function Settings() {
  const [note, setNote] = useState('')
  return (
    <main>
      <h1>Settings</h1>
      <p role="status">{note}</p>
      <Integrations askback={askback} loading={<p>Loading</p>} onNote={setNote} />
    </main>
  )
}

function Conversation() {
  const { messages, pending, decided, isBusy, ...chat } = useConversation(askback, { id, isNew: true })
  const handlers = { settingsHref: '/settings', onAnswer: chat.answer, onDecide: chat.approve, onSkip: chat.skip }
  return (
    <main>
      <MessageList messages={messages} pending={pending} decided={decided} isBusy={isBusy} handlers={handlers} />
      <Composer isBusy={isBusy} upload={askback.upload} onSend={chat.send} onStop={chat.stop} onProblem={alert} />
    </main>
  )
}

export function Chat({}: { userId: string }) {
  return location.pathname === '/settings' ? <Settings /> : <Conversation />
}
`

/** The README's chat as one page of an app, which the user leaves and comes back to. */
const paged = `
import { useState } from 'react'
import { Chat as Page } from './chat-0'

export function Chat({}: { userId: string }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Leave' : 'Come back'}</button>
      {isOpen && <Page />}
    </>
  )
}
`

/** The same with an id that is made once, when the page is loaded. */
const fixedId = (chat: string) =>
  chat
    .replace("new URLSearchParams(location.search).get('chat')", 'null')
    .replace('export function Chat', 'const fixed = crypto.randomUUID()\n\nexport function Chat')
    .replace('asked ?? crypto.randomUUID()', 'asked ?? fixed')

/** What the compiler says of the chats of the README, and of others, in a strict project. */
async function checkTypes(root: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const [name, code] of Object.entries(others)) await writeFile(join(root, name), code)
  const options = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: [],
      skipLibCheck: true,
      paths: { '@/*': ['./*'] },
    },
    files: [
      ...['chat-0.tsx', 'chat-1.tsx', 'chat-2.tsx', 'chat-3.tsx', 'chat-whole.tsx', 'pieces.tsx', 'css.d.ts'],
      ...Object.keys(others),
    ],
  }
  await writeFile(join(root, 'css.d.ts'), "declare module '*.css'")
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(options))
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', root]).catch((error) => error)
  return stdout
}

describe.skipIf(!chromiumPath)('the packed client', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'askback-client-'))
    const root = await makeClientApp(folder, stack)
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('has types that the chats of the README fit, and those below, in a strict project', async () => {
    const others = { 'list-chat.tsx': listChat, 'settings-chat.tsx': settingsChat }
    expect(await checkTypes(join(folder, 'app'), others)).toBe('')
  })

  it('is a whole chat in an app that has nothing else of ours', async () => {
    const page = await browser.open(server.resolvedUrls?.local[0] ?? '')
    await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
    await page.getByRole('button', { name: 'Send' }).click()
    const form = page.getByRole('form', { name: recipientQuestion })
    await form.getByRole('textbox').fill('ada@example.com')
    await form.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText(/I sent the email “Meeting” to ada@example.com/).waitFor()
    expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(browser.complaints()).toEqual([])
  })

  it.each([
    ['at its address', (chat: string) => chat],
    ['under an id that was made when the page was loaded', fixedId],
  ])('has its messages and its open form when its page is left and opened again, %s', async (_, change) => {
    const root = await makeClientApp(await mkdtemp(join(folder, 'paged-')), stack)
    const code = join(root, 'chat-0.tsx')
    await writeFile(code, change(await readFile(code, 'utf8')))
    await writeFile(join(root, 'paged.tsx'), paged)
    const main = join(root, 'main.tsx')
    await writeFile(main, (await readFile(main, 'utf8')).replace('./chat-0', './paged'))
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const page = await browser.open(app.resolvedUrls?.local[0] ?? '')
      await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
      await page.getByRole('button', { name: 'Send' }).click()
      const form = page.getByRole('form', { name: recipientQuestion })
      await form.waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Come back' }).click()
      await form.waitFor()
      if (change !== fixedId) await page.reload()
      await page.getByText('Send an email about the meeting').waitFor()
      await form.getByRole('textbox').fill('ada@example.com')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await page.getByText(/I sent the email “Meeting” to ada@example.com/).waitFor()
      expect(browser.complaints()).toEqual([])
    } finally {
      await app.close()
    }
  })

  it('has a page of everything that waits, where each can be decided', async () => {
    const root = await makeClientApp(await mkdtemp(join(folder, 'waiting-')), stack)
    const main = join(root, 'main.tsx')
    const code = await readFile(main, 'utf8')
    const files = (await readdir(root)).filter((name) => /^chat-\d+\.tsx$/.test(name))
    const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))
    const shown = files[texts.findIndex((text) => text.includes('export function Waiting('))]
    expect(shown).toBeDefined()
    await writeFile(main, code.replace("{ Chat } from './chat-0'", `{ Waiting as Chat } from './${shown}'`))
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const chat = await browser.open(server.resolvedUrls?.local[0] ?? '')
      await chat.getByRole('textbox', { name: 'Message' }).fill('Send an email about the picnic')
      await chat.getByRole('button', { name: 'Send' }).click()
      await chat.getByRole('form', { name: recipientQuestion }).waitFor()
      const page = await browser.open(app.resolvedUrls?.local[0] ?? '')
      const form = page.getByRole('form', { name: recipientQuestion })
      await form.getByRole('textbox').fill('eve@example.com')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await form.waitFor({ state: 'detached' })
      await chat.getByText(/I sent the email “Picnic” to eve@example.com/).waitFor()
      expect(browser.complaints()).toEqual([])
    } finally {
      await app.close()
    }
  })

  it('takes a file along, says that nothing answers, and sends both when it is asked again', async () => {
    const page = await browser.open(server.resolvedUrls?.local[0] ?? '')
    const files = [{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan.') }]
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByRole('list', { name: 'Attached files' }).getByText('plan.txt').waitFor()
    await page.context().setOffline(true)
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('Send an email about the plan to bob@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('alert')
      .getByText('Can’t reach the server. Check your connection and try again.')
      .waitFor()
    await page.getByRole('log').getByText('plan.txt').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/I sent the email “Plan” to bob@example.com/).waitFor()
    await page.getByRole('log').getByText('plan.txt').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(browser.complaints().filter(({ status }) => status !== 0)).toEqual([])
  })

  it('lists conversations, opens one, loads more on scroll, and keeps what is written in each', async () => {
    await storeConversations(stack, 120)
    const root = await makeClientApp(join(folder, 'list'), stack)
    await writeFile(join(root, 'chat-0.tsx'), listChat)
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const page = await browser.open(app.resolvedUrls?.local[0] ?? '')
      const list = page.getByRole('navigation', { name: 'Conversations' })
      const rows = list.getByRole('link')
      const message = page.getByRole('textbox', { name: 'Message' })
      await list.getByRole('link', { name: 'Talk number 1', exact: true }).waitFor()
      const onFirstPage = await rows.count()
      expect(onFirstPage).toBeLessThan(120)
      // One stop of the Tab key, and arrows in it.
      await rows.first().focus()
      await page.keyboard.press('End')
      await expect.poll(() => rows.count()).toBeGreaterThan(onFirstPage)
      const last = list.getByRole('link', { name: 'Talk number 120', exact: true })
      await expect
        .poll(async () => {
          await rows.last().scrollIntoViewIfNeeded()
          return last.count()
        })
        .toBe(1)
      expect(await list.locator('a[tabindex="0"]').count()).toBe(1)

      await message.fill('Not sent yet')
      await list.getByRole('link', { name: 'Talk number 3', exact: true }).click()
      await page.getByText('What about number 3?').waitFor()
      expect(await list.locator('[aria-current=page]').allTextContents()).toEqual(['Talk number 3'])
      expect(await message.inputValue()).toBe('')
      await message.fill('For the third')
      await page.reload()
      await expect.poll(() => message.inputValue()).toBe('Not sent yet')
      await list.getByRole('link', { name: 'Talk number 3', exact: true }).click()
      await expect.poll(() => message.inputValue()).toBe('For the third')

      await message.fill('Send an email about the meeting')
      await message.press('Enter')
      await page.getByRole('button', { name: `Answering: ${recipientQuestion}` }).waitFor()
      expect(await message.inputValue()).toBe('')
      // It is the newest now, and waits.
      await expect.poll(() => rows.first().textContent()).toBe('Talk number 3')
      await rows.first().getByRole('img', { name: 'Waiting for you' }).waitFor()
      await page.getByRole('button', { name: 'Skip' }).first().click()
      await expect.poll(() => list.getByRole('img', { name: 'Waiting for you' }).count()).toBe(0)
      expect(browser.complaints()).toEqual([])
    } finally {
      await app.close()
    }
  })

  it('has the page that the cards lead to: what is connected there, with a key or by signing in, goes on', async () => {
    const port = await findQuietPort()
    const origin = `http://127.0.0.1:${port}`
    const simulated = await startStack({
      env: { ASKBACK_SIMULATE: 'google,search', ASKBACK_APP_URLS: origin },
    })
    const root = await makeClientApp(join(folder, 'settings'), simulated)
    await writeFile(join(root, 'chat-0.tsx'), settingsChat)
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port, strictPort: true, host: '127.0.0.1' } })
    try {
      const page = await browser.open(origin)
      await page.getByRole('textbox', { name: 'Message' }).fill('Search the web for tea')
      await page.getByRole('button', { name: 'Send' }).click()
      const opened = page.context().waitForEvent('page')
      await page.getByRole('link', { name: 'Connect Serper' }).click()
      const settings = await opened
      const serper = settings.getByRole('region', { name: 'Serper' })
      const key = serper.getByLabel('API key')
      await expect.poll(() => key.evaluate((field) => field === document.activeElement)).toBe(true)
      expect(await serper.getByRole('link', { name: /^Get a key/ }).getAttribute('href')).toBe(
        'https://serper.dev/api-key',
      )
      await serper.getByRole('form').getByRole('button', { name: 'Connect' }).click()
      await serper.getByText('API key is required.').waitFor()
      await key.fill('good-key')
      await key.press('Enter')
      await serper.getByText('Works').waitFor()
      await settings.getByRole('status').getByText('Connected to Serper (simulated).').waitFor()
      await page.getByText(/I found/).waitFor()

      const gmail = settings.getByRole('region', { name: 'Gmail' })
      await gmail.getByRole('button', { name: 'Connect' }).click()
      await settings.getByRole('button', { name: 'Allow' }).click()
      await settings.getByRole('status').getByText('Connected to Gmail (ada@simulated.example).').waitFor()
      expect(settings.url()).toBe(`${origin}/settings?provider=gmail`)
      expect(await findBarriers(settings)).toEqual([])
      await gmail.getByRole('button', { name: 'Disconnect' }).click()
      const dialog = settings.getByRole('alertdialog', { name: 'Disconnect Gmail (ada@simulated.example)?' })
      await dialog.getByRole('button', { name: 'Disconnect' }).click()
      await gmail.getByText('Not connected').waitFor()
      expect(browser.complaints()).toEqual([])
    } finally {
      await app.close()
      await simulated.stop()
    }
  })

  it.runIf(isTestAll)('is the same chat with ai 6', async () => {
    installClients()
    const ai = join(project, 'tests/conformance/clients/node_modules/ai-6')
    const root = await makeClientApp(join(folder, 'six'), stack, { packages: { ai } })
    expect(await checkTypes(root)).toBe('')
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const six = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const page = await browser.open(six.resolvedUrls?.local[0] ?? '')
      await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
      await page.getByRole('button', { name: 'Send' }).click()
      const form = page.getByRole('form', { name: recipientQuestion })
      await form.getByRole('textbox').fill('carol@example.com')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await page.getByText(/I sent the email “Meeting” to carol@example.com/).waitFor()
      expect(browser.complaints()).toEqual([])
    } finally {
      await six.close()
    }
  })

  it('is a chat on a plain page, as the docs write it', async () => {
    const root = await makeClientApp(await mkdtemp(join(folder, 'plain-')), stack)
    const blocks = blocksUnder(readPage('docs/embedding.md'), 'Without a framework')
    const textOf = (language: string) => blocks.find((one) => one.language === language)?.text ?? ''
    await writeFile(
      join(root, 'index.html'),
      textOf('html').replace('<title>', '<link rel="icon" href="data:,"><title>'),
    )
    await writeFile(join(root, 'chat.js'), textOf('js'))
    const signIn = `\nawait supabase.auth.signInWithPassword(${JSON.stringify(stack.demoUser)})`
    await appendFile(join(root, 'supabase.ts'), signIn)
    await withDatabase(
      stack,
      (sql) => sql`insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
        select id, 'smtp_send_email', 'always' from askback.agents
        on conflict (agent_id, tool_name) do update set approval = excluded.approval`,
    )
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const page = await browser.open(app.resolvedUrls?.local[0] ?? '')
      const say = async (text: string) => {
        await page.getByRole('textbox', { name: 'Message' }).fill(text)
        await page.getByRole('textbox', { name: 'Message' }).press('Enter')
      }
      // Its script signs in first.
      await page.waitForFunction("document.querySelector('#composer').onsubmit !== null")
      await say('Send an email about the plan')
      // What is still missing is asked for before anything is sent.
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.locator('label', { hasText: 'recipient email address' }).click()
      await page.keyboard.type('dan@example.com')
      await page.getByRole('button', { name: 'Approve' }).dblclick()
      await page.getByText(/I sent the email “Plan” to dan@example.com/).waitFor()
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
      await say('Search the web for tea')
      expect(await page.getByRole('link', { name: 'Connect' }).getAttribute('href')).toContain(
        '/settings/integrations?provider=',
      )
      expect(await page.getByText(/I sent the email “Plan” to dan@example.com/).count()).toBe(1)
      expect(browser.complaints()).toEqual([])
    } finally {
      await app.close()
    }
  })
})
