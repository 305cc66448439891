import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, type TestBrowser } from '../support/browser.ts'
import { project, startStack, type TestStack } from '../support/stack.ts'

const run = promisify(execFile)

/** What the package expects to be there, as this checkout has it. */
const peers = ['@ai-sdk', '@cfworker', '@supabase', 'ai', 'react', 'react-dom']

let folder: string
let stack: TestStack
let browser: TestBrowser
let server: Awaited<ReturnType<typeof preview>>

/** An empty Vite project with the packed client in it. */
async function makeApp(): Promise<string> {
  const app = join(folder, 'app')
  const packages = join(app, 'node_modules')
  const target = join(packages, '@askback', 'client')
  await mkdir(target, { recursive: true })
  const { stdout } = await run('npm', ['pack', './client', '--json', '--pack-destination', folder], {
    cwd: project,
  })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1'])
  for (const name of peers) await symlink(join(project, 'node_modules', name), join(packages, name))
  const readme = await readFile(join(target, 'README.md'), 'utf8')
  const chat = /```tsx\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(chat.split('\n').length).toBeLessThanOrEqual(35)
  await writeFile(join(app, 'chat.tsx'), chat)
  await writeFile(
    join(app, 'supabase.ts'),
    `import { createClient } from '@supabase/supabase-js'
export const supabase = createClient(${JSON.stringify(stack.url)}, ${JSON.stringify(stack.keys.publishableKey)})`,
  )
  await writeFile(
    join(app, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
import { Chat } from './chat'
import { supabase } from './supabase'
await supabase.auth.signInWithPassword(${JSON.stringify(stack.demoUser)})
createRoot(document.body.appendChild(document.createElement('div'))).render(<Chat />)`,
  )
  await writeFile(
    join(app, 'index.html'),
    '<!doctype html><title>App</title><link rel="icon" href="data:,"><body><script type="module" src="/main.tsx"></script>',
  )
  return app
}

describe.skipIf(!chromiumPath)('the packed client', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'askback-client-'))
    stack = await startStack()
    browser = await startBrowser()
    const root = await makeApp()
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  })
  afterAll(async () => {
    await server?.close()
    await browser?.close()
    await stack?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is a whole chat in an app that has nothing else of ours', async () => {
    const page = await browser.open(server.resolvedUrls?.local[0] ?? '')
    await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
    await page.getByRole('button', { name: 'Send' }).click()
    const form = page.getByRole('form', { name: /Who should I send this email to\?/ })
    await form.getByRole('textbox').fill('ada@example.com')
    await form.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText(/I sent the e-mail “Meeting” to ada@example.com/).waitFor()
    expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(browser.complaints()).toEqual([])
  })
})
