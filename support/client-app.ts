import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtPackage } from './askback-command.ts'
import { readPage } from './docs-pages.ts'
import { blocksIn } from './readme-blocks.ts'
import { project, type TestStack } from './stack.ts'

/** What the package expects to be there, as this checkout has it. */
export const peers = ['@supabase', '@types', 'ai', 'react', 'react-dom']

/**
 * A Vite project in a folder that has nothing of ours but the built package, with one of the chats of its README, signed in
 * as the demo user. Resolves to its folder.
 *
 * @param chat Which of them: the whole one, the plain one of pieces, or the one with an app's own look.
 * @param packages Where else than in this checkout a package is taken from.
 */
export async function makeClientApp(
  folder: string,
  { url, keys, demoUser }: TestStack,
  { chat = 0, packages: others = {} }: { chat?: number | 'whole'; packages?: Record<string, string> } = {},
): Promise<string> {
  const root = join(folder, 'app')
  const packages = join(root, 'node_modules')
  await mkdir(packages, { recursive: true })
  await cp(builtPackage(), join(packages, 'askback'), { recursive: true })
  for (const name of peers)
    await symlink(others[name] ?? join(project, 'node_modules', name), join(packages, name))
  const readme = await readFile(join(project, 'client/README.md'), 'utf8')
  const [whole = '', ...chats] = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  expect(whole.match(/\S.*/g)?.length).toBeLessThanOrEqual(10)
  await writeFile(join(root, 'chat-whole.tsx'), whole)
  for (const code of chats) expect(code.match(/\S.*/g)?.length).toBeLessThanOrEqual(30)
  for (const [index, code] of chats.entries()) await writeFile(join(root, `chat-${index}.tsx`), code)
  await writeFile(join(root, 'app.css'), /```css\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
  await cp(join(project, 'support/shadcn'), join(root, 'components'), { recursive: true })
  const [pieces] = blocksIn(readPage('docs/your-design.md')).filter(({ language }) => language === 'tsx')
  await writeFile(join(root, 'pieces.tsx'), pieces?.text ?? '')
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
    '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><body><script type="module" src="/main.tsx"></script>',
  )
  return root
}
