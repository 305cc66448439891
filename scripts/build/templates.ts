import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { integration } from '../new-integration/weather-api/integration.ts'
import { root } from '../platform.ts'

const index = `import { createIntegrationHandler } from '../_askback/integration.js'
import { createActions } from './actions.ts'
import { integration } from './integration.ts'

Deno.serve(createIntegrationHandler(integration, createActions, Deno.env.toObject()))
`

/** What `askback new-integration` makes integrations from: the one of this repository, for a project with `_askback`. */
export async function writeTemplates(target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  const { imports } = JSON.parse(await readFile(join(root, 'deno.json'), 'utf8'))
  const files: Record<string, string> = {
    'index.ts': index,
    'deno.json': `${JSON.stringify({ imports: { zod: imports.zod } }, null, 2)}\n`,
    'integration.json': JSON.stringify(integration),
    'integration.ts': await readTemplate('integration.ts'),
    'words.ts': await readTemplate('words.ts'),
    'actions.ts': await readTemplate('actions.ts'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(target, name), text)
}

/** All that it imports from `shared` comes from one module, in one import. */
async function readTemplate(name: string): Promise<string> {
  const text = await readFile(join(root, 'scripts/new-integration/weather-api', name), 'utf8')
  const shared = /^import (type )?\{([^}]*)\} from '\.\.\/\.\.\/\.\.\/shared\/[^']*'\n/gm
  const names = [...text.matchAll(shared)].flatMap(([, type = '', list = '']) =>
    list.split(',').flatMap((one) => (one.trim() === '' ? [] : [`${type}${one.trim()}`])),
  )
  const line = `import { ${names.sort((a, b) => a.replace('type ', '').localeCompare(b.replace('type ', ''))).join(', ')} } from '../_askback/integration.js'\n`
  // After zod, if it comes first.
  return text.replace(shared, '').replace(/^(?:import \* as z from 'zod'\n)?/, (zod) => zod + line)
}
