import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { makeClientApp } from './client-app.ts'
import type { TestStack } from './stack.ts'

/** The chat of the README in a German app that has nothing else of ours, signed in as the demo user. */
export async function serveGermanApp(stack: TestStack): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'askback-german-'))
  const root = await makeClientApp(folder, stack, { chat: 'whole' })
  await writeFile(
    join(root, 'main.tsx'),
    `import { german } from 'askback/client/labels/de'
import { LabelsProvider } from 'askback/react/labels'
import { createRoot } from 'react-dom/client'
import { Chat } from './chat-whole'
import { supabase } from './supabase'
await supabase.auth.signInWithPassword(${JSON.stringify(stack.demoUser)})
createRoot(document.querySelector('main')!).render(<LabelsProvider labels={german}><Chat /></LabelsProvider>)`,
  )
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><html lang="de"><title>App</title><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark } body { margin: 0; font-family: system-ui }</style>
<main></main><script type="module" src="/main.tsx"></script>`,
  )
  const options = { root, configFile: false as const, logLevel: 'error' as const }
  await build({ ...options, build: { target: 'es2022' } })
  const server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
