import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environment, installed } from '../scripts/platform.ts'

/** What `supabase init` of the CLI in the lockfile writes; it runs once for all projects of a test file. */
let template: Record<string, string> | undefined

/** A project as `supabase init` makes it, under git, with further files. Returns its folder. */
export function makeSupabaseProject(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'askback-project-'))
  execFileSync('git', ['init', '-q'], { cwd: folder })
  if (template) writeFiles(folder, template)
  else {
    execFileSync(installed('supabase'), ['init'], { cwd: folder, env: environment, stdio: 'ignore' })
    template = readFiles(folder)
  }
  writeFiles(folder, files)
  return folder
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Every file of a folder with its text, but what git and the CLI keep for themselves. */
export function readFiles(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^\.git\/|\.temp\//.test(path) && statSync(join(folder, path)).isFile())
    .sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const comments = `
# Our own notes.
[functions.hello]	# with a tab
verify_jwt = true

[auth.external.github]
enabled = true
client_id = "env(GITHUB_CLIENT_ID)"
secret = 'env(GITHUB_SECRET)'
`

/** Projects as teams have them, beside an empty one. */
export const teams: Record<string, (folder: string) => Record<string, string>> = {
  'with tables, a function, a seed and a provider': (folder) => ({
    'supabase/config.toml': `${readFileSync(join(folder, 'supabase/config.toml'), 'utf8').replace(/^\[auth\.external\.github\][\s\S]*?(?=^\[)/m, '')}${comments}`,
    'supabase/migrations/20260101000000_orders.sql': 'create table public.orders (id bigint primary key);\n',
    'supabase/seed.sql': 'insert into public.orders values (1);\n',
    'supabase/functions/hello/index.ts': "Deno.serve(() => new Response('Hello'))\n",
    'supabase/functions/hello/deno.json': '{ "imports": {} }\n',
  }),
  'with a function named chat and a folder shared': () => ({
    'supabase/functions/chat/index.ts':
      "import { greeting } from '../../../shared/greeting.ts'\nDeno.serve(() => new Response(greeting))\n",
    'shared/greeting.ts': "export const greeting = 'Hello'\n",
  }),
  'with a Vite app': () => ({
    'package.json': '{ "name": "shop", "private": true, "type": "module" }\n',
    'vite.config.ts': "import { defineConfig } from 'vite'\nexport default defineConfig({})\n",
    'index.html': '<!doctype html><div id="root"></div><script type="module" src="/src/main.ts"></script>\n',
    'src/main.ts': "document.querySelector('#root')!.textContent = 'Shop'\n",
    '.env.example': 'VITE_SUPABASE_URL=\n',
  }),
}
