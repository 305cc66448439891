import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { project, type TestStack } from './stack.ts'

const run = promisify(execFile)

/** What the package expects to be there, as this checkout has it. */
const peers = ['@cfworker', '@supabase', '@types', 'ai', 'react', 'react-dom', 'sanitize-html']

export interface ClientApp {
  /** The folder of its Vite project. */
  root: string
  /** Paths in the package. */
  packed: readonly string[]
}

/**
 * A Vite project in a folder that has nothing of ours but the packed client, with one of the chats of its README, signed in
 * as the demo user.
 *
 * @param chat Which of them: the plain one, or the one with an app's own look.
 * @param packages Where else than in this checkout a package is taken from.
 */
export async function makeClientApp(
  folder: string,
  { url, keys, demoUser }: TestStack,
  { chat = 0, packages: others = {} }: { chat?: number; packages?: Record<string, string> } = {},
): Promise<ClientApp> {
  const root = join(folder, 'app')
  const packages = join(root, 'node_modules')
  const target = join(packages, '@askback', 'client')
  await mkdir(target, { recursive: true })
  // Of a copy: packing builds in its folder, and another test may be at it.
  const source = join(folder, 'source')
  await cp(join(project, 'client'), join(source, 'client'), { recursive: true })
  await cp(join(project, 'tsconfig.json'), join(source, 'tsconfig.json'))
  await symlink(join(project, 'node_modules'), join(source, 'node_modules'))
  const { stdout } = await run('npm', ['pack', './client', '--json', '--pack-destination', folder], {
    cwd: source,
  })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1'])
  for (const name of peers)
    await symlink(others[name] ?? join(project, 'node_modules', name), join(packages, name))
  const readme = await readFile(join(target, 'README.md'), 'utf8')
  const chats = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  for (const code of chats) expect(code.split('\n').length).toBeLessThanOrEqual(35)
  for (const [index, code] of chats.entries()) await writeFile(join(root, `chat-${index}.tsx`), code)
  await writeFile(join(root, 'app.css'), /```css\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
  await writeFile(
    join(root, 'supabase.ts'),
    `import { createClient } from '@supabase/supabase-js'
export const supabase = createClient(${JSON.stringify(url)}, ${JSON.stringify(keys.publishableKey)})`,
  )
  await writeFile(
    join(root, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
import { Chat } from './chat-${chat}'
import { supabase } from './supabase'
const { data } = await supabase.auth.signInWithPassword(${JSON.stringify(demoUser)})
createRoot(document.body.appendChild(document.createElement('div'))).render(<Chat userId={data.user.id} />)`,
  )
  await writeFile(
    join(root, 'index.html'),
    '<!doctype html><title>App</title><link rel="icon" href="data:,"><body><script type="module" src="/main.tsx"></script>',
  )
  return { root, packed: files.map(({ path }: { path: string }) => path) }
}
