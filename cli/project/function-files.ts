import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder, version } from '../package/package-folder.ts'

/** Functions that every project needs. */
const core = ['chat', 'file-text', 'integration-settings', 'mcp', 'mcp-client']
/** Those of them that say something to people. */
const speaking = ['chat', 'integration-settings']
const folder = 'supabase/functions'

/** The words of the project, which it may edit. */
const wordsFile = 'askback-words.ts'
const fromModules = `../${wordsFile}`
export const wordsPath = `${folder}/${wordsFile}`
export const noWords = `import type { ProjectWords } from './_askback/words.js'

/** Your own words for what Askback says to people, in place of its own. See docs/your-own-words.md of Askback. */
export const words: ProjectWords = {}
`

/** Names of all functions of the running package. */
export function knownFunctions(): string[] {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const prefix = './functions/'
  return Object.keys(exports).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
}

/** Names of the functions that are integrations, of which a project may choose. */
export function knownIntegrations(): string[] {
  return knownFunctions().filter((name) => !core.includes(name))
}

export function coreFunctions(): readonly string[] {
  return core
}

/** A name that a function could have instead of its own. */
export function exampleSlug(name: string): string {
  return name === 'chat' ? 'assistant' : `askback-${name}`
}

/**
 * The files of functions, by path, as they have to be: for each a folder with `index.ts` and `deno.json`, and
 * `_askback`, which they import from.
 *
 * @param names What functions are called in the project, by their own names.
 * @param own The project's own integrations, which the chat has to know, too.
 */
export function functionFiles(
  names: Readonly<Record<string, string>>,
  own: readonly string[],
  vendor: boolean,
): Record<string, string> {
  const files: Record<string, string> = {}
  const installed = { ...names, ...Object.fromEntries(own.map((name) => [name, name])) }
  for (const [name, slug] of Object.entries(names)) {
    files[`${folder}/${slug}/index.ts`] =
      `// @ts-nocheck\nimport { handler } from '../_askback/${name}.js'\n\nDeno.serve(handler)\n`
    files[`${folder}/${slug}/deno.json`] = vendor ? '{ "imports": {} }\n' : pins
    files[`${folder}/_askback/${name}.js`] = moduleOf(name, installed, vendor)
  }
  files[`${folder}/_askback/handler.d.ts`] = handlerTypes
  // Without the bundles a project has no integrations of its own, and nothing to test.
  for (const name of vendor ? ['integration', 'testing', 'words'] : ['integration', 'words']) {
    files[`${folder}/_askback/${name}.d.ts`] = readFileSync(
      join(packageFolder, `functions/${name}.d.ts`),
      'utf8',
    )
    files[`${folder}/_askback/${name}.js`] =
      `// @ts-self-types="./${name}.d.ts"\nexport * from ${JSON.stringify(vendor ? `./bundles/${name}.js` : `askback/${name}`)}\n`
  }
  if (!vendor) return files
  const bundles = join(packageFolder, 'functions')
  for (const path of readdirSync(bundles, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|txt)$/.test(path) || !statSync(join(bundles, path)).isFile()) continue
    files[`${folder}/_askback/bundles/${path.replaceAll('\\', '/')}`] = readFileSync(
      join(bundles, path),
      'utf8',
    )
  }
  return files
}

/** Deno refuses packages that are younger than a day, unless they are named. */
const pins = `${JSON.stringify(
  {
    imports: { 'askback/': `npm:/askback@${version}/` },
    minimumDependencyAge: { age: 'P1D', exclude: ['npm:askback'] },
  },
  null,
  2,
)}\n`

/** With types of its own, Deno does not look for those of Node in the project when it checks a function. */
const handlerTypes = `export declare const handler: (request: Request) => Response | Promise<Response>\n`

function moduleOf(name: string, names: Readonly<Record<string, string>>, vendor: boolean): string {
  const source = vendor ? `./bundles/${name}.js` : `askback/functions/${name}`
  if (!speaking.includes(name)) {
    return `// @ts-self-types="./handler.d.ts"
import { createHandler } from '${source}'

export const handler = createHandler(${JSON.stringify(names)})
`
  }
  return `// @ts-self-types="./handler.d.ts"
import { words } from '${fromModules}'
import { createHandler } from '${source}'

export const handler = createHandler(${JSON.stringify(names)}, words)
`
}
