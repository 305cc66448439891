import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { root } from '../platform.ts'
import { noteBundled } from './licences.ts'

const functionsFolder = join(root, 'supabase/functions')
const ofNode = builtinModules.filter((name) => !name.startsWith('node:'))

/** They become files of other projects, whose linters should not read them. */
const notForLinters = '/* eslint-disable */\n// deno-lint-ignore-file\n// biome-ignore-all lint: bundled'

/** Names of the functions, which are those of their folders. */
export async function functionNames(): Promise<string[]> {
  const names = await readdir(functionsFolder)
  return names.filter((name) => existsSync(join(functionsFolder, name, 'index.ts'))).sort()
}

/**
 * Bundles the functions, each as a module that exports `createHandler`, and what functions of a project's own
 * integrations (`integration.js`), their tests (`testing.js`) and words (`words.js`) are made from. They import nothing but modules of Node, which Deno has too.
 */
export async function bundleFunctions(target: string, bundled: Set<string>): Promise<void> {
  const names = await functionNames()
  const entries = Object.fromEntries(names.map((name) => [name, entryOf(name)]))
  const input = {
    ...Object.fromEntries(names.map((name) => [name, `entry:${name}`])),
    integration: join(root, 'shared/integration.ts'),
    testing: join(root, 'scripts/build/testing.ts'),
    words: join(root, 'shared/project-words.ts'),
    'pdf-worker': join(functionsFolder, 'file-text/pdf-worker.ts'),
  }
  const bundle = await rolldown({
    input,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['deno', 'node', 'import'] },
    plugins: [
      entriesPlugin(entries),
      workerPlugin,
      withoutValidator,
      withoutSqlite,
      esmExternalRequirePlugin({ external: [/^node:(?!sqlite$)/, ...ofNode] }),
      noteBundled(bundled),
      spacedImports,
    ],
    transform: {
      define: { global: 'globalThis' },
      // Globals of Node that Deno gives to packages, but not to files of a project.
      inject: {
        Buffer: ['node:buffer', 'Buffer'],
        process: 'node:process',
        setImmediate: ['node:timers', 'setImmediate'],
      },
    },
  })
  await bundle.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    minify: true,
    paths: (id) => (ofNode.includes(id) ? `node:${id}` : id),
    chunkFileNames: 'chunks/[name].js',
    postBanner: notForLinters,
  })
  await bundle.close()
  await dropMap(join(target, 'chunks/parse-pdf.js'))
}

/** The library that reads PDFs comes packed: a map leads to its packed lines, and takes a tenth of the package. */
async function dropMap(path: string): Promise<void> {
  await rm(`${path}.map`)
  const code = await readFile(path, 'utf8')
  await writeFile(path, code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

/** The module of a function: its handler, made for the names that the functions have in a project. */
function entryOf(name: string): string {
  const own = (path: string) => JSON.stringify(join(functionsFolder, name, path))
  const shared = (path: string) => JSON.stringify(join(root, 'shared/server', path))
  const create = existsSync(join(functionsFolder, name, 'handler.ts'))
    ? `import { createHandler as create } from ${own('handler.ts')}`
    : `import { createFunctionApp } from ${shared('integration-function/integration-app.ts')}
import { createActions } from ${own('actions.ts')}
import { integration } from ${own('integration.ts')}
const create = (env) => createFunctionApp(integration, createActions, env).fetch`
  return `import { serveAs } from ${shared('functions/function-names.ts')}
${create}
export function createHandler(names = {}, words = {}) {
  const pairs = Object.entries(names).map((pair) => pair.join('='))
  const env = { ...Deno.env.toObject(), ASKBACK_FUNCTIONS: pairs.join(',') }
  return serveAs(${JSON.stringify(name)}, env, create(env, words))
}
`
}

function entriesPlugin(entries: Record<string, string>): Plugin {
  return {
    name: 'entries',
    resolveId: (id) => (id.startsWith('entry:') ? id : null),
    load: (id) => (id.startsWith('entry:') ? (entries[id.slice('entry:'.length)] ?? null) : null),
  }
}

/**
 * The Supabase CLI uploads what a function imports, and finds imports only as people write them: with a space after the
 * word, and a quoted name.
 */
const spacedImports: Plugin = {
  name: 'spaced-imports',
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk') continue
      output.code = output.code
        .replace(/^(?:\/.*\n)*(?:import[^;]+;)+/, (head) => head.replace(/\bimport(?=[{"'*])/g, 'import '))
        .replace(/\bimport\(`(\.[^`$]+)`\)/g, "import('$1')")
    }
  },
}

/** A worker is another file, which the bundler does not see. */
const workerPlugin: Plugin = {
  name: 'worker',
  transform: (code, id) =>
    id.endsWith('/parse-in-worker.ts')
      ? { code: code.replace("'./pdf-worker.ts'", "'./pdf-worker.js'"), map: null }
      : null,
}

const shims = '@modelcontextprotocol/client/_shims'

/** The SDK of MCP clients measures results by what a tool has promised, which `mcp-client` never asks of it: 130 kB less. */
const withoutValidator: Plugin = {
  name: 'without-validator',
  resolveId: (id) => (id === shims ? `\0${shims}` : null),
  load: (id) =>
    id === `\0${shims}`
      ? `export const CORS_IS_POSSIBLE = false
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('Results are not measured here.')
  }
}`
      : null,
}

/** undici looks whether there is one, for a cache that nobody uses; an import of it ends the hosted Deno 2.1, which has none. */
const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  resolveId: (id) => (id === 'node:sqlite' ? '\0no-sqlite' : null),
  load: (id) =>
    id === '\0no-sqlite'
      ? `throw Object.assign(new Error('There is no node:sqlite.'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' })
module.exports = {}`
      : null,
}
