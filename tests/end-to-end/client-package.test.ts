import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import installClients from '../conformance/clients/install.ts'
import { chromiumPath, startBrowser, type TestBrowser } from '../support/browser.ts'
import { makeClientApp } from '../support/client-app.ts'
import { project, startStack, type TestStack } from '../support/stack.ts'

const run = promisify(execFile)

let folder: string
/** Paths in the package. */
let packed: readonly string[]
let stack: TestStack
let browser: TestBrowser
let server: Awaited<ReturnType<typeof preview>>

const manifest = async () => JSON.parse(await readFile(join(project, 'client/package.json'), 'utf8'))

/** What the compiler says of the chats of the README, in a strict project. */
async function checkTypes(root: string): Promise<string> {
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
    files: ['chat-0.tsx', 'chat-1.tsx', 'css.d.ts'],
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
    stack = await startStack()
    browser = await startBrowser()
    const app = await makeClientApp(folder, stack)
    packed = app.packed
    const { root } = app
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
        (path) =>
          !/^(dist\/.*\.(js|d\.ts)|react\/(askback|shadcn)\.css|README\.md|package\.json)$/.test(path),
      ),
    ).toEqual([])
    const sources = (await readdir(join(project, 'client'), { recursive: true }))
      .filter((path) => /\.tsx?$/.test(path) && !/^(dist|node_modules)\b|\.d\.ts$/.test(path))
      .map((path) => `dist/${path.replace(/\.tsx?$/, '.js')}`)
    expect(packed.filter((path) => path.endsWith('.js')).sort()).toEqual(sources.sort())
    const { exports, dependencies, peerDependencies } = await manifest()
    for (const target of [
      exports['.'].types,
      exports['.'].default,
      exports['./askback.css'],
      exports['./shadcn.css'],
    ]) {
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

  it('has types that the chats of the README fit, in a strict project', async () => {
    expect(await checkTypes(join(folder, 'app'))).toBe('')
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
  it('is the same chat with ai 6', async () => {
    installClients()
    const ai = join(project, 'tests/conformance/clients/node_modules/ai-6')
    const { root } = await makeClientApp(join(folder, 'six'), stack, { packages: { ai } })
    expect(await checkTypes(root)).toBe('')
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    const six = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const page = await browser.open(six.resolvedUrls?.local[0] ?? '')
      await page.getByRole('textbox', { name: 'Message' }).fill('Send an email about the meeting')
      await page.getByRole('button', { name: 'Send' }).click()
      const form = page.getByRole('form', { name: /Who should I send this email to\?/ })
      await form.getByRole('textbox').fill('carol@example.com')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await page.getByText(/I sent the email “Meeting” to carol@example.com/).waitFor()
      expect(browser.complaints()).toEqual([])
    } finally {
      await six.close()
    }
  })
})
