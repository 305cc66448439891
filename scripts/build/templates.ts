import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
    'integration.ts': await readTemplate('tasks-api/integration.ts'),
    'words.ts': await readTemplate('tasks-api/words.ts'),
    'actions.ts': await readTemplate('tasks-api/actions.ts'),
    // In the folder of its function, which is deployed without it. In the package it must not look like a test of ours.
    'actions-test.ts': (await readTemplate('tasks-api.test.ts')).replaceAll("'./tasks-api/", "'./"),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(target, name), text)
}

/** Where a project has what the template imports from here. */
const modules: Readonly<Record<string, string>> = { shared: 'integration', support: 'testing' }

/** All that it imports from a folder of this repository comes from one module, in one import. */
async function readTemplate(name: string): Promise<string> {
  const text = await readFile(join(root, 'scripts/new-integration', name), 'utf8')
  return Object.entries(modules).reduce((changed, [folder, module]) => {
    const ours = new RegExp(`^import (type )?\\{([^}]*)\\} from '(?:\\.\\./)+${folder}/[^']*'\\n`, 'gm')
    const names = [...changed.matchAll(ours)].flatMap(([, type = '', list = '']) =>
      list.split(',').flatMap((one) => (one.trim() === '' ? [] : [`${type}${one.trim()}`])),
    )
    if (names.length === 0) return changed
    names.sort((a, b) => a.replace('type ', '').localeCompare(b.replace('type ', '')))
    const line = `import { ${names.join(', ')} } from '../_askback/${module}.js'\n`
    // After packages, if they come first.
    return changed
      .replace(ours, '')
      .replace(/^(?:import [^\n]* from '[^.][^\n]*\n)*/, (first) => first + line)
  }, text)
}
