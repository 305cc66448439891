import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { chromiumPath, settled } from '../../support/browser.ts'
import { peers } from '../../support/client-app.ts'
import { develop } from '../../support/developed-project.ts'
import { readPage } from '../../support/docs-pages.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'
import { makeSupabaseProject } from '../../support/supabase-project.ts'
import { useBrowser } from '../../support/use-browser.ts'

let folder: string
let address: string
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})
const [browser, running] = useBrowser(async () => {
  const port = await findQuietPort()
  folder = makeApp(port)
  address = `http://localhost:${port}/`
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  cpSync(builtPackage(), join(packages, 'askback'), { recursive: true })
  for (const name of [...peers, 'vite'])
    symlinkSync(join(project, 'node_modules', name), join(packages, name))
  expect(await askback(folder, ['add', '--yes'])).toMatchObject({ code: 0 })
  return develop(folder, ['--app'])
})

/** A React app with the files that the page has its readers write. */
function makeApp(port: number): string {
  const code = (language: string) =>
    blocksIn(readPage('docs/first-email.md'))
      .filter((block) => block.language === language)
      .map(({ text }) => text)
  const [chat = '', settings = '', app = ''] = code('tsx')
  return makeSupabaseProject({
    'package.json': '{ "name": "shop", "private": true, "type": "module" }',
    'vite.config.ts': `export default { server: { port: ${port}, strictPort: true } }`,
    'index.html':
      '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
import App from './App'
createRoot(document.querySelector('#root')!).render(<App />)`,
    'src/supabase.ts': code('js').join('\n'),
    'src/App.tsx': app,
    'src/chat.tsx': chat,
    'src/settings.tsx': settings,
  })
}

describe.runIf(chromiumPath)('the walk of "Your first email"', () => {
  it('ends with an email that was approved in the app', async () => {
    const page = await browser.open(address)
    // Vite may load the page again while it learns what the app needs.
    await page.waitForLoadState('networkidle')
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('Send an email about the meeting to ada@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Connect SMTP' }).click()
    const settings = await opened
    settings.on('dialog', (dialog) => dialog.accept())
    const { host, port, user, password } = running.stack().smtp
    const smtp = settings.getByRole('region', { name: 'SMTP' })
    await smtp.getByLabel('Mail server').fill(host)
    await smtp.getByLabel('Port').fill(String(port))
    await smtp.getByLabel('User name').fill(user)
    await smtp.getByLabel('Password').fill(password)
    await smtp.getByRole('button', { name: 'Connect' }).click()
    await smtp.getByText('Works').waitFor()
    const card = page.getByRole('group', { name: 'Approval needed' })
    await card.getByText('Send "Meeting" to "ada@example.com"?').waitFor()
    const mails = async () => await (await fetch(`${running.url}/inbox/messages`)).json()
    expect(await mails()).toEqual([])
    await settled(page)
    await page.getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/I sent the email “Meeting” to ada@example.com/).waitFor()
    expect(await mails()).toMatchObject([{ to: ['ada@example.com'], subject: 'Meeting' }])
  })
})
