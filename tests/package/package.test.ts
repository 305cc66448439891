import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'
import { subpaths } from '../../scripts/build/subpaths.ts'
import { environment, hostedDeno } from '../../scripts/platform.ts'
import { builtPackage } from '../../support/askback-command.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'

const run = promisify(execFile)
const manifest = () => JSON.parse(readFileSync(join(builtPackage(), 'package.json'), 'utf8'))
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )

/** A project that has the package, and of its peers those that are named. */
function makeProject(peers: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'askback-uses-'))
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  cpSync(builtPackage(), join(packages, 'askback'), { recursive: true })
  for (const name of peers) symlinkSync(join(project, 'node_modules', name), join(packages, name))
  return folder
}

/** What the compiler says of `use.ts` in a strict project. */
async function checkTypes(folder: string, skipLibCheck: boolean): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck,
    target: 'ES2023',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
  return stdout
}

describe('the package askback', () => {
  it('is clean for publint', async () => {
    const { messages } = await publint({ pkgDir: builtPackage(), strict: true, pack: false })
    expect(messages).toEqual([])
  })

  it('takes 6.5 MB packed at most, and its functions 5.6 MB', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: builtPackage() })
    const [{ size }] = JSON.parse(stdout)
    expect(size).toBeLessThan(6.5e6)
    const folder = join(builtPackage(), 'functions')
    const code = files(folder).filter((path) => /\.(?:js|txt)$/.test(path))
    expect(code.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)).toBeLessThan(5.6e6)
  })

  it.runIf(existsSync(hostedDeno))('loads on the Deno that projects run, also what comes later', async () => {
    const folder = join(builtPackage(), 'functions')
    const modules = files(folder).filter((path) => path.endsWith('.js') && !/parse-pdf|pdf-worker/.test(path))
    expect(modules).toContain('mcp-client.js')
    const program = modules.map(
      (path) => `await import(${JSON.stringify(pathToFileURL(join(folder, path)))})`,
    )
    const file = join(mkdtempSync(join(tmpdir(), 'askback-loads-')), 'load.js')
    writeFileSync(file, `${program.join('\n')}\nconsole.log('loaded')\nDeno.exit()\n`)
    const { stdout } = await run(hostedDeno, ['run', '--no-lock', '--allow-all', file], { env: environment })
    expect(stdout).toBe('loaded\n')
  })

  it('needs nothing at run time, and imports only peers and modules of Node', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = manifest()
    expect(dependencies).toBeUndefined()
    const peers = Object.keys(peerDependencies)
    expect(peers.filter((name) => !peerDependenciesMeta[name].optional)).toEqual([])
    const code = files(builtPackage()).filter((path) => /^(?!bin|web).*\.js$/.test(path))
    for (const path of code) {
      const text = readFileSync(join(builtPackage(), path), 'utf8')
      for (const [, name = ''] of text.matchAll(/^import\b[^;'"]*?["']([^"'.][^"']*)["']/gm)) {
        const isKnown =
          name.startsWith('node:') || peers.some((one) => name === one || name.startsWith(`${one}/`))
        expect(isKnown, `${path}: ${name}`).toBe(true)
      }
    }
  })

  it('has nothing of Node in what browsers load: Next.js refuses it there', () => {
    const ofBrowsers = files(builtPackage()).filter((path) => /^(?:client|react)(?:\/.*)?\.js$/.test(path))
    const reached = new Set(ofBrowsers)
    for (const path of reached) {
      const text = readFileSync(join(builtPackage(), path), 'utf8')
      const imports = text.matchAll(
        /^(?:import|export)\b[^;'"\n]*?["']([^"'\n]+)["']|\bimport\("(\.[^"]+)"\)/gm,
      )
      for (const [, name = '', lazy = name] of imports) {
        expect(name, path).not.toMatch(/^node:/)
        if (/^\..+\.js$/.test(lazy)) reached.add(join(dirname(path), lazy))
      }
    }
    expect(reached.size).toBeGreaterThan(ofBrowsers.length)
  })

  it('names the licences of what it bundles', () => {
    const text = readFileSync(join(builtPackage(), 'LICENCES.txt'), 'utf8')
    for (const name of ['hono', 'unpdf', 'react-dom', 'sanitize-html', '@fontsource-variable/inter']) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    }
  })

  it('exports each component and hook alone, and all of them together', () => {
    const text = readFileSync(join(project, 'client/react/index.ts'), 'utf8')
    const together = [...text.matchAll(/'\.\/([\w/-]+\.tsx?)'/g)].map(([, file]) => `client/react/${file}`)
    const alone = Object.entries(subpaths).filter(([name]) => name.startsWith('./react/'))
    expect(together.sort()).toEqual(alone.map(([, source]) => source).sort())
  })

  it('runs the engine in Node', async () => {
    const folder = makeProject(['zod'])
    writeFileSync(
      join(folder, 'try.mjs'),
      `import { createToolLibrary, defineTool, invokeTool } from 'askback'
      import * as z from 'zod'
      const parameters = z.object({ to: z.string() })
      const tool = defineTool({ name: 'greet', description: 'Greets.', parameters, execute: ({ to }) => 'Hello ' + to })
      const library = createToolLibrary([tool])
      console.log(JSON.stringify([await invokeTool(library, 'greet', { to: 'Ada' }), (await invokeTool(library, 'greet', {})).errorType]))`,
    )
    const { stdout } = await run(process.execPath, ['try.mjs'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual([{ ok: true, data: 'Hello Ada' }, 'missing_parameter'])
  })

  it('has tools of a project made in Node', async () => {
    const folder = makeProject(['zod'])
    const made = `import { Question } from 'askback/integration'
      console.log(new Question('Who gets it?').message)`
    writeFileSync(join(folder, 'try.mjs'), made)
    const { stdout } = await run(process.execPath, ['try.mjs'], { cwd: folder })
    expect(stdout).toContain('Who gets it?')
  })

  it('has types that a strict project checks, with all of its libraries', async () => {
    const folder = makeProject(['zod', '@types'])
    writeFileSync(
      join(folder, 'use.ts'),
      `import { type ChatMessage, defineTool, runAgent } from 'askback'
      import { askJson, type Integration, integrationTool, Question } from 'askback/integration'
      import { createHandler } from 'askback/functions/chat'
      import 'askback/askback.css'
      import * as z from 'zod'
      const earlier: ChatMessage[] = [{ role: 'user', content: 'Hello' }]
      const parameters = z.object({ city: z.string() })
      const tool = integrationTool({ name: 'weather', description: 'Weather.', parameters, effect: 'read', action: 'get' })
      const integration: Integration = { name: 'weather-api', providers: [], tools: [tool] }
      const handler: (request: Request) => Response | Promise<Response> = createHandler({ chat: 'assistant' })
      export { askJson, defineTool, earlier, handler, integration, Question, runAgent }`,
    )
    expect(await checkTypes(folder, false)).toBe('')
  })

  it.each([
    { module: 'ESNext', moduleResolution: 'bundler' },
    { module: 'nodenext', moduleResolution: 'nodenext' },
  ])('has no error of its own where a React app checks everything ($module)', async (resolution) => {
    const folder = makeProject(['zod', '@types', '@supabase', 'ai', 'react', 'react-dom'])
    const readme = readFileSync(join(project, 'client/README.md'), 'utf8')
    const chats = blocksIn(readme).filter(({ language }) => language === 'tsx')
    for (const [index, { text }] of chats.entries())
      writeFileSync(join(folder, `chat-${index}.tsx`), text.replace("'./supabase'", "'./supabase.js'"))
    const files = {
      'package.json': '{ "type": "module" }',
      'supabase.ts': `import { createClient } from '@supabase/supabase-js'
        export const supabase = createClient('https://project.supabase.co', 'sb_publishable_key')`,
      'use.ts': Object.keys(subpaths)
        .map((subpath, index) => `export * as part${index} from '${join('askback', subpath)}'`)
        .join('\n'),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
          ...{ noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, isolatedModules: true },
          ...{ target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [] },
          ...{ noEmit: true, jsx: 'react-jsx' },
          ...resolution,
        },
      }),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const compiler = join(project, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
    const said: string[] = stdout.split('\n')
    // The libraries of others have errors of their own.
    expect(said.filter((line) => /^(?:\S*node_modules\/askback\/|[\w-]+\.tsx?\()/.test(line))).toEqual([])
  })

  it('says in its types of other packages what these say themselves', async () => {
    const folder = makeProject(['openai', '@cfworker'])
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { OutputUnit } from '@cfworker/json-schema'
      import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
      import type * as Ours from './node_modules/askback/types/foreign.d.ts'
      type Without<T> = Exclude<T, { role: 'function' }>
      export const messages = (given: Without<ChatCompletionMessageParam>): Ours.ChatCompletionMessageParam | null => null
      export const message = (given: Ours.ChatCompletionMessageParam): ChatCompletionMessageParam => given
      export const part = (given: Ours.ChatCompletionContentPart): ChatCompletionContentPart => given
      export const unit = (given: OutputUnit): Ours.OutputUnit => given`,
    )
    expect(await checkTypes(folder, true)).toBe('')
  })
})
