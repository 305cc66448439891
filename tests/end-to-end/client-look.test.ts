import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { compile } from 'tailwindcss'
import { build, type Plugin, preview, type UserConfig } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, resize } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { makeClientApp } from '../../support/client-app.ts'
import { demoScript } from '../../support/demo-script.ts'
import { readPage } from '../../support/docs-pages.ts'
import { say as reply } from '../../support/model-reply.ts'
import { blocksIn, blocksUnder } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'
import installClients from '../conformance/clients/install.ts'

/** As `npx shadcn init` writes it, light and dark: its `--accent` is nearly white, or nearly black. */
const shadcn = `
:root {
  --radius: 0.625rem; --background: oklch(1 0 0); --foreground: oklch(0.145 0 0); --card: oklch(1 0 0);
  --card-foreground: oklch(0.145 0 0);
  --primary: oklch(0.205 0 0); --primary-foreground: oklch(0.985 0 0); --secondary: oklch(0.97 0 0);
  --muted: oklch(0.97 0 0); --muted-foreground: oklch(0.556 0 0); --accent: oklch(0.97 0 0);
  --destructive: oklch(0.577 0.245 27.325); --border: oklch(0.922 0 0);
}
.dark {
  --background: oklch(0.145 0 0); --foreground: oklch(0.985 0 0); --card: oklch(0.205 0 0);
  --card-foreground: oklch(0.985 0 0);
  --primary: oklch(0.922 0 0); --primary-foreground: oklch(0.205 0 0); --secondary: oklch(0.269 0 0);
  --muted: oklch(0.269 0 0); --muted-foreground: oklch(0.708 0 0); --accent: oklch(0.269 0 0);
  --destructive: oklch(0.704 0.191 22.216); --border: oklch(1 0 0 / 10%);
}
@theme inline { --color-muted-foreground: var(--muted-foreground); }
@layer base { body { background: var(--background); color: var(--foreground); } }
`

/** The same for Tailwind 3: numbers of colours. */
const shadcnOf3 = `
:root {
  --radius: 0.5rem; --background: 0 0% 100%; --foreground: 222.2 84% 4.9%; --card: 0 0% 100%; --primary: 222.2 47.4% 11.2%;
  --primary-foreground: 210 40% 98%; --secondary: 210 40% 96.1%; --muted: 210 40% 96.1%; --muted-foreground: 215.4 16.3% 46.9%;
  --accent: 210 40% 96.1%; --destructive: 0 84.2% 60.2%; --border: 214.3 31.8% 91.4%;
}
.dark {
  --background: 222.2 84% 4.9%; --foreground: 210 40% 98%; --card: 222.2 84% 4.9%; --primary: 210 40% 98%;
  --primary-foreground: 222.2 47.4% 11.2%; --secondary: 217.2 32.6% 17.5%; --muted: 217.2 32.6% 17.5%;
  --muted-foreground: 215 20.2% 65.1%; --accent: 217.2 32.6% 17.5%; --destructive: 0 62.8% 30.6%; --border: 217.2 32.6% 17.5%;
}
body { background: hsl(var(--background)); color: hsl(var(--foreground)); }
`
const own = '.dark body { background: black; color: white; }'

/** What the README says about Markdown. */
const [markdown] = blocksIn(readPage('client/README.md')).filter(({ language }) => language === 'jsx')
const listed = () => reply('What is needed:\n- tea\n- milk')

/** The stylesheets of the docs under a heading. */
const sheets = (heading: string): string[] =>
  blocksUnder(readPage('docs/your-design.md'), heading)
    .filter(({ language }) => language === 'css')
    .map(({ text }) => text)
const [ofShadcn, variable] = sheets('shadcn/ui and Tailwind 4')
const [ofTailwind, byClass] = sheets('Tailwind 4 without shadcn/ui')
const [ofTailwind3] = sheets('Tailwind 3')

/** Tailwind, for one file and the classes that stand in the app. */
function tailwind(root: string): Plugin {
  const files: Record<string, string> = {
    tailwindcss: join(project, 'node_modules/tailwindcss/index.css'),
    'askback/askback.css': join(root, 'node_modules/askback/askback.css'),
    'askback/shadcn.css': join(root, 'node_modules/askback/shadcn.css'),
  }
  return {
    name: 'tailwind',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('/app.css')) return undefined
      const loadStylesheet = async (name: string) => {
        const path = files[name] ?? ''
        return { path, base: root, content: await readFile(path, 'utf8') }
      }
      const { build } = await compile(code, { base: root, loadStylesheet })
      const names = ['chat-1.tsx', 'pieces.tsx', 'components/ui/button.tsx', 'components/ui/card.tsx']
      const sources = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')))
      return { code: build(sources.join(' ').split(/[\s"'`]+/)), map: null }
    },
  }
}

/** Tailwind 3, as a plugin of PostCSS. */
async function tailwind3(root: string) {
  installClients()
  const { default: plugin } = await import(
    pathToFileURL(join(project, 'tests/conformance/clients/node_modules/tailwindcss-3/lib/index.js')).href
  )
  return plugin({ content: [join(root, '*.tsx'), join(root, 'components/**/*.tsx')], darkMode: 'class' })
}

/** The contrast of the words of an element with what they stand on (WCAG 2, 1.4.3). Colours are read as they are drawn. */
function contrastOf(element: Element): number {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const luminanceOf = (colors: string[]) => {
    for (const color of colors) {
      if (canvas) canvas.fillStyle = color
      canvas?.fillRect(0, 0, 1, 1)
    }
    const [r = 0, g = 0, b = 0] = [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const grounds = ['white']
  for (let one: Element | null = element; one; one = one.parentElement)
    grounds.splice(1, 0, getComputedStyle(one).backgroundColor)
  const ground = luminanceOf(grounds)
  const words = luminanceOf([...grounds, getComputedStyle(element).color])
  return (Math.max(ground, words) + 0.05) / (Math.min(ground, words) + 0.05)
}

let folder: string
const [browser, chat] = useBrowser(() => startChatStack())
let page: Page
let server: Awaited<ReturnType<typeof preview>>

const contrast = (name: string): Promise<number> =>
  page.getByRole('button', { name, exact: true }).evaluate(contrastOf)

async function say(text: string): Promise<void> {
  // While an answer is being written, nothing is sent.
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}

describe.skipIf(!chromiumPath)('the packed client in an app of shadcn/ui and Tailwind', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'askback-look-'))
    chat.model.use(demoScript({ 'What is needed': listed }))
    await setMailApproval(chat.stack, 'always')
    const root = await makeClientApp(folder, chat.stack, { chat: 1 })
    await writeFile(join(root, 'app.css'), `${await readFile(join(root, 'app.css'), 'utf8')}${shadcn}`)
    const main = join(root, 'main.tsx')
    await writeFile(main, `import './app.css'\n${await readFile(main, 'utf8')}`)
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, plugins: [tailwind(root)], build: { target: 'es2022' } })
    server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    page = await browser.open(server.resolvedUrls?.local[0] ?? '')
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('keeps the lines of an answer where nothing renders its Markdown', async () => {
    await say('What is needed for tea?')
    const text = page.getByText('What is needed:')
    await expect.poll(() => text.innerText()).toBe('What is needed:\n- tea\n- milk')
  })

  it("shows an app's own view of a tool", async () => {
    await say('Create a document about the summer party')
    await page.getByText(/^📄 Created/).waitFor()
    expect(await page.locator('.askback-tool').count()).toBe(0)
  })

  it('can be read in the colours of the app, light and dark, where the app has an --accent of its own', async () => {
    await say('Send an email about the budget to ada@example.com')
    const approval = page.getByRole('group', { name: 'Approval needed' })
    const verb = await approval.locator('.askback-primary').innerText()
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${theme === 'dark'})`)
      for (const name of [verb, 'Edit', 'Deny'])
        expect(await contrast(name), `${name}, ${theme}`).toBeGreaterThanOrEqual(4.5)
    }
    // In the app's colour, whatever the reset of Tailwind does to buttons.
    await page.evaluate(`document.documentElement.classList.remove('dark')`)
    const primary = await approval.locator('.askback-primary').evaluate((button) => {
      const same = document.body.appendChild(document.createElement('i'))
      same.style.backgroundColor = 'var(--primary)'
      return [button, same].map((one) => getComputedStyle(one).backgroundColor)
    })
    expect(primary[0]).toBe(primary[1])
  })

  it("counts what waits for an app's own bell, and hears of it without a reload", async () => {
    await page.getByText('1 waiting for you').waitFor()
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await page.getByText('0 waiting for you').waitFor()
    expect(browser.complaints()).toEqual([])
  })

  it("gives way to an app's rules, and to its variables around a piece", async () => {
    await say('Send an email about the plan to ada@example.com')
    const primary = page.getByRole('group', { name: 'Approval needed' }).locator('.askback-primary')
    await primary.waitFor()
    // On a narrow phone, in a page with a margin: one row.
    await resize(page, { width: 360, height: 740 })
    const margin = await page.addStyleTag({ content: 'body { margin: 0; padding: 0 16px }' })
    const tops = await page
      .locator('.askback-decision > button, .askback-decision summary')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    expect(tops).toHaveLength(4)
    expect(new Set(tops).size).toBe(1)
    await margin.evaluate((style) => (style as Element).remove())
    await resize(page, { width: 1280, height: 720 })
    await page.addStyleTag({
      content: 'main, body { --askback-accent: rgb(80, 0, 80) } .askback-primary { border-radius: 3px }',
    })
    const look = await primary.evaluate((one) => {
      const { backgroundColor, borderRadius } = getComputedStyle(one)
      return [backgroundColor, borderRadius]
    })
    expect(look).toEqual(['rgb(80, 0, 80)', '3px'])
  })

  it.each<[string, (root: string) => Promise<{ css: string; config: UserConfig }>]>([
    [
      'shadcn/ui and Tailwind 4',
      async (root) => ({ css: `${ofShadcn}${shadcn}${variable}`, config: { plugins: [tailwind(root)] } }),
    ],
    [
      'Tailwind 4 alone',
      async (root) => ({ css: `${ofTailwind}${byClass}${own}`, config: { plugins: [tailwind(root)] } }),
    ],
    [
      'shadcn/ui and Tailwind 3',
      async (root) => ({
        css: `${ofTailwind3}${shadcnOf3}`,
        config: { css: { postcss: { plugins: [await tailwind3(root)] } } },
      }),
    ],
  ])('can be read in the design of the docs: %s', async (name, design) => {
    const root = await makeClientApp(await mkdtemp(join(folder, 'design-')), chat.stack)
    const { css, config } = await design(root)
    const main = join(root, 'main.tsx')
    await writeFile(join(root, 'app.css'), css)
    await writeFile(
      main,
      `import './app.css'\nimport { MyPieces } from './pieces'\n${(await readFile(main, 'utf8')).replace(/<Chat .*\/>/, '<MyPieces>$&</MyPieces>')}`,
    )
    const code = join(root, 'chat-0.tsx')
    const chatCode = `${markdown?.text}${await readFile(code, 'utf8')}`
      .replace('onSkip: chat.skip', '$&, renderText, renderActions')
      // With Tailwind 4, the stylesheet is imported by the app's own.
      .replace(name.endsWith('3') ? '' : "import 'askback/askback.css'\n", '')
    await writeFile(code, chatCode)
    await symlink(join(project, 'node_modules/react-markdown'), join(root, 'node_modules/react-markdown'))
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    const resolve = { alias: { '@': root } }
    await build({ ...options, ...config, resolve, build: { target: 'es2022' } })
    const app = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
    try {
      page = await browser.open(app.resolvedUrls?.local[0] ?? '')
      await say('Send an email about the plan to ada@example.com')
      const approval = page.getByRole('group', { name: 'Approval needed' })
      const verb = await approval.locator('.askback-primary').innerText()
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.classList.toggle('dark', ${theme === 'dark'})`)
        for (const button of [verb, 'Edit', 'Deny'])
          expect(await contrast(button), `${button}, ${theme}`).toBeGreaterThanOrEqual(4.5)
        const colours = await approval
          .locator('.askback-primary')
          .evaluate((one) => [
            getComputedStyle(one).backgroundColor,
            getComputedStyle(document.body).backgroundColor,
          ])
        expect(new Set(colours).size, `the button stands out, ${theme}`).toBe(2)
      }
      await say('Search the web for tea')
      const connect = page.getByRole('group', { name: 'Connection needed' })
      await connect.getByRole('link', { name: 'Connect', exact: true }).waitFor()
      await connect.getByRole('button', { name: 'Skip' }).click()
      await connect.waitFor({ state: 'detached' })
      await say('What is needed for tea?')
      await page.getByRole('listitem').filter({ hasText: 'milk' }).waitFor()
      await page.getByRole('button', { name: 'Copy' }).last().waitFor()
      const lines = page.locator('.askback-tool-line')
      const before = await lines.count()
      await say('Create a document about the summer party')
      await expect.poll(() => lines.count()).toBeGreaterThan(before)
      // In one picture: the answer may still move.
      const [icon, title] = await lines
        .last()
        .evaluate((line) =>
          ['svg', '.askback-tool-title'].map((part) =>
            line.querySelector(part)?.getBoundingClientRect().toJSON(),
          ),
        )
      expect(icon && title && icon.y + icon.height > title.y && icon.y < title.y + title.height).toBe(true)
      expect(icon && title && icon.x + icon.width <= title.x).toBe(true)
      const heading = await page.evaluate(() => {
        const pieces = document.body.appendChild(document.createElement('div'))
        pieces.className = 'askback-providers'
        const style = getComputedStyle(pieces.appendChild(document.createElement('h2')))
        return [Number.parseFloat(style.fontSize), Number(style.fontWeight)]
      })
      expect(heading).toEqual([20, 640])
      expect(browser.complaints()).toEqual([])
    } finally {
      // It would complain to the next test that its server is gone.
      await page.close()
      await app.close()
    }
  })
})

describe.skipIf(!chromiumPath)('the pieces', () => {
  it('give way to those of an app, each card and each block', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'askback-pieces-'))
    const options = { root: join(project, 'support/all-pieces'), configFile: false as const }
    await build({ ...options, logLevel: 'error', build: { target: 'es2022', outDir, emptyOutDir: true } })
    const app = await preview({ ...options, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
    try {
      const log = (await browser.open(`${app.resolvedUrls?.local[0]}?own`)).getByRole('log').first()
      await log.getByText('own WaitCard').first().waitFor()
      const names = (await log.innerText()).match(/(?<=own )\w+/g)
      expect([...new Set(names)].sort()).toEqual([
        ...['ApprovalCard', 'ConnectCard', 'DoneBefore', 'FileBlock', 'QuestionForm', 'ServerCard'],
        ...['SeveralApprovals', 'Sources', 'Thought', 'ToolCard', 'ToolRun', 'WaitCard'],
      ])
      for (const piece of ['card', 'tool', 'thought', 'sources', 'file'])
        expect([piece, await log.locator(`.askback-${piece}`).count()]).toEqual([piece, 0])
    } finally {
      await app.close()
      await rm(outDir, { recursive: true, force: true })
    }
  })
})
