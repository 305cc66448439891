import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, type TestBrowser } from '../support/browser.ts'
import { project, startStack, type TestStack } from '../support/stack.ts'

const run = promisify(execFile)

/** What the package expects to be there, as this checkout has it. */
const peers = ['@ai-sdk', '@cfworker', '@supabase', '@types', 'ai', 'react', 'react-dom', 'sanitize-html']

let folder: string
/** Paths in the package. */
let packed: string[]
let stack: TestStack
let browser: TestBrowser
let server: Awaited<ReturnType<typeof preview>>

const manifest = async () => JSON.parse(await readFile(join(project, 'client/package.json'), 'utf8'))

/** An empty Vite project with the packed client in it. */
async function makeApp(): Promise<string> {
  const app = join(folder, 'app')
  const packages = join(app, 'node_modules')
  const target = join(packages, '@askback', 'client')
  await mkdir(target, { recursive: true })
  const { stdout } = await run('npm', ['pack', './client', '--json', '--pack-destination', folder], {
    cwd: project,
  })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  packed = files.map(({ path }: { path: string }) => path)
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

  it('holds what is built and nothing else, and what it exports is there', async () => {
    expect(
      packed.filter(
        (path) => !/^(dist\/.*\.(js|d\.ts)|react\/askback\.css|README\.md|package\.json)$/.test(path),
      ),
    ).toEqual([])
    const sources = (await readdir(join(project, 'client'), { recursive: true }))
      .filter((path) => /\.tsx?$/.test(path) && !/^(dist|node_modules)\b|\.d\.ts$/.test(path))
      .map((path) => `dist/${path.replace(/\.tsx?$/, '.js')}`)
    expect(packed.filter((path) => path.endsWith('.js')).sort()).toEqual(sources.sort())
    const { exports, dependencies, peerDependencies } = await manifest()
    for (const target of [exports['.'].types, exports['.'].default, exports['./askback.css']]) {
      expect(packed).toContain(target.replace('./', ''))
    }
    // Nothing of it names a file of this repository, or a module that it does not say it needs.
    const needed = Object.keys({ ...dependencies, ...peerDependencies })
    for (const path of packed.filter((one) => one.endsWith('.js'))) {
      const code = await readFile(join(folder, 'app/node_modules/@askback/client', path), 'utf8')
      const names = [...code.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name ?? '')
      for (const name of names.filter((one) => !one.startsWith('.'))) {
        expect(
          needed.some((one) => name === one || name.startsWith(`${one}/`)),
          `${path}: ${name}`,
        ).toBe(true)
      }
    }
  })

  it('has types that the chat of the README fits, in a strict project', async () => {
    const root = join(folder, 'app')
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
      },
      files: ['chat.tsx', 'css.d.ts'],
    }
    await writeFile(join(root, 'css.d.ts'), "declare module '*.css'")
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify(options))
    const { stdout } = await run(process.execPath, [
      join(project, 'node_modules/typescript/bin/tsc'),
      '-p',
      root,
    ]).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('is a whole chat in an app that has nothing else of ours', async () => {
    const page = await browser.open(server.resolvedUrls?.local[0] ?? '')
    await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
    await page.getByRole('button', { name: 'Send' }).click()
    const form = page.getByRole('form', { name: /Who should I send this email to\?/ })
    await form.getByRole('textbox').fill('ada@example.com')
    await form.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText(/I sent the email “Meeting” to ada@example.com/).waitFor()
    expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(browser.complaints()).toEqual([])
  })

  it('takes a file along, says that nothing answers, and sends both when it is asked again', async () => {
    const page = await browser.open(server.resolvedUrls?.local[0] ?? '')
    const files = [{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan.') }]
    await page.getByLabel('Files').setInputFiles(files)
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
})
