import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { compile } from 'tailwindcss'
import { build, type Plugin, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, type TestBrowser } from '../support/browser.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { withDatabase } from '../support/chat-user.ts'
import { makeClientApp } from '../support/client-app.ts'
import { demoScript } from '../support/demo-script.ts'
import { project } from '../support/stack.ts'

/** As `npx shadcn init` writes it, light and dark: its `--accent` is nearly white, or nearly black. */
const shadcn = `
:root {
  --radius: 0.625rem; --background: oklch(1 0 0); --foreground: oklch(0.145 0 0); --card: oklch(1 0 0);
  --primary: oklch(0.205 0 0); --primary-foreground: oklch(0.985 0 0); --secondary: oklch(0.97 0 0);
  --muted: oklch(0.97 0 0); --muted-foreground: oklch(0.556 0 0); --accent: oklch(0.97 0 0);
  --destructive: oklch(0.577 0.245 27.325); --border: oklch(0.922 0 0);
}
.dark {
  --background: oklch(0.145 0 0); --foreground: oklch(0.985 0 0); --card: oklch(0.205 0 0);
  --primary: oklch(0.922 0 0); --primary-foreground: oklch(0.205 0 0); --secondary: oklch(0.269 0 0);
  --muted: oklch(0.269 0 0); --muted-foreground: oklch(0.708 0 0); --accent: oklch(0.269 0 0);
  --destructive: oklch(0.704 0.191 22.216); --border: oklch(1 0 0 / 10%);
}
@theme inline { --color-muted-foreground: var(--muted-foreground); }
@layer base { body { background: var(--background); color: var(--foreground); } }
`

/** Tailwind, for one file and the classes that stand in the chat. */
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
      const chat = await readFile(join(root, 'chat-1.tsx'), 'utf8')
      return { code: build(chat.split(/[\s"'`]+/)), map: null }
    },
  }
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
let chat: ChatStack
let browser: TestBrowser
let page: Page
let server: Awaited<ReturnType<typeof preview>>

const contrast = (name: string): Promise<number> =>
  page.getByRole('button', { name, exact: true }).evaluate(contrastOf)

async function say(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}

describe.skipIf(!chromiumPath)('the packed client in an app of shadcn/ui and Tailwind', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'askback-look-'))
    chat = await startChatStack()
    chat.model.use(demoScript({}))
    await withDatabase(
      chat.stack,
      (database) => database`
        insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
        select id, 'smtp_send_email', 'always' from askback.agents
        on conflict (agent_id, tool_name) do update set approval = excluded.approval`,
    )
    browser = await startBrowser()
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
    await browser?.close()
    await chat?.stop()
    await rm(folder, { recursive: true, force: true })
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
    await page.addStyleTag({
      content: 'main, body { --askback-accent: rgb(80, 0, 80) } .askback-primary { border-radius: 3px }',
    })
    const look = await primary.evaluate((one) => {
      const { backgroundColor, borderRadius } = getComputedStyle(one)
      return [backgroundColor, borderRadius]
    })
    expect(look).toEqual(['rgb(80, 0, 80)', '3px'])
  })
})
