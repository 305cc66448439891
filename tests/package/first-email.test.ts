import { execFile, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environment, installed } from '../../scripts/platform.ts'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { chromiumPath, startBrowser, type TestBrowser } from '../../support/browser.ts'
import { readPage } from '../../support/docs-pages.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

/** "Your first email" as somebody follows it who has nothing yet: its commands, and its files where it says to save them. */
const page = readPage('docs/first-email.md')
const run = promisify(execFile)
/** Settings of the machine for npm, as everybody has theirs; a registry that is silent is asked again soon. */
const env = { ...environment, npm_config_yes: 'true', npm_config_fetch_timeout: '20000' }
/** What a command of the page may take, so that one that hangs is named. */
const timeout = 120_000

/** The local stack of 170 MB, and what runs it: followed by tests/end-to-end/first-email.test.ts. */
const elsewhere = ['npm install --save-dev ./askback-local-0.1.0.tgz', 'npx askback dev --app']
/** What is done in a checkout of the repository: the packages are there already. */
const inCheckout = ['npm ci && npm run build', 'npm pack --silent ./dist/askback ./dist/askback-local']

interface Step {
  /** What is run, or what is saved. */
  text: string
  /** The file to save it as; absent for commands. */
  file?: string
  /** It comes to the end of the file. */
  isMore: boolean
}

/** The commands and files of the page, in its order. A file is named in its first line, or in the words before it. */
function stepsOf(page: string): Step[] {
  return [...page.matchAll(/([^\n]*)\n\n```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, before = '', language, text = '']): Step[] => {
      if (language === 'sh')
        return text
          .trim()
          .split('\n')
          .map((line) => ({ text: line, isMore: false }))
      const [, first] = /^\/\/ (src\/\S+)\n/.exec(text) ?? []
      const file = first ?? [...before.matchAll(/`(src\/[^`]+)`/g)].at(-1)?.[1] ?? ''
      return [{ text, file, isMore: before.includes('to the end of') }]
    },
  )
}

describe.skipIf(!chromiumPath)('"Your first email" in an empty folder', () => {
  let folder: string
  let stack: TestStack
  let browser: TestBrowser
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'askback-empty-'))
    stack = await startStack()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('leads to a built app that shows the chat and the settings', { timeout: 400_000 }, async () => {
    const followed: string[] = []
    let place = folder
    const perform = async (command: string) => {
      if (elsewhere.includes(command)) return
      if (command === 'npx supabase init')
        await run(installed('supabase'), ['init'], { cwd: place, env: environment, timeout })
      else if (command === 'npx askback add')
        expect(await askback(place, ['add', '--yes'])).toMatchObject({ code: 0 })
      else if (command.startsWith('cd ')) place = join(place, command.slice(3))
      else if (command === inCheckout[1])
        await run('npm', ['pack', builtPackage(), '--pack-destination', place], { env, timeout })
      else if (command !== inCheckout[0]) await run('sh', ['-c', command], { cwd: place, env, timeout })
    }
    for (const { text, file, isMore } of stepsOf(page)) {
      if (file === undefined) {
        followed.push(text)
        await perform(text)
        continue
      }
      const path = join(place, file)
      mkdirSync(dirname(path), { recursive: true })
      if (isMore) appendFileSync(path, text)
      else writeFileSync(path, text)
    }
    expect(followed).toEqual(expect.arrayContaining([...elsewhere, ...inCheckout, 'npx askback add']))
    for (const file of ['src/supabase.ts', 'src/chat.tsx', 'src/settings.tsx', 'src/App.tsx'])
      expect(existsSync(join(place, file)), file).toBe(true)

    const ofStack = { VITE_SUPABASE_URL: stack.url, VITE_SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey }
    const built = await run('npm', ['run', 'build'], { cwd: place, env: { ...env, ...ofStack } }).catch(
      ({ stdout }) => ({ stdout, failed: true }),
    )
    expect(built, built.stdout).not.toHaveProperty('failed')
    const server = spawn('npx', ['vite', 'preview', '--port', '0'], { cwd: place, env, detached: true })
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.once('exit', (code) =>
          reject(new Error(`vite preview ended with ${code} before it listened.`)),
        )
        createInterface(server.stdout).on('line', (line) => {
          // Where CI is set, Vite colours its address.
          const [address] = /http:\/\/localhost:\d+\//.exec(stripVTControlCharacters(line)) ?? []
          if (address) resolve(address)
        })
      })
      const app = await browser.open(url)
      await app.getByRole('textbox', { name: 'Message' }).waitFor()
      await app.goto(new URL('/settings/integrations', url).href)
      await app
        .getByRole('region', { name: 'SMTP' })
        .getByRole('button', { name: 'Connect another' })
        .waitFor()
    } finally {
      process.kill(-(server.pid ?? 0))
    }
  })
})
