import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { build } from 'vite'
import { schemaVersion, version } from '../../shared/server/version.ts'
import { root } from '../platform.ts'
import { flattenTypes } from './flat-types.ts'
import { bundleFunctions, functionNames } from './functions.ts'
import { noteBundled, writeLicences } from './licences.ts'
import { packageMigrations } from './packaged-migrations.ts'
import { stylesheets, subpaths } from './subpaths.ts'
import { writeTemplates } from './templates.ts'
import { typesOf, writeTypes } from './types.ts'
import { withoutFiles } from './without-files.ts'

/** What an app has already, if it uses the part that needs it. */
const peers = {
  '@supabase/supabase-js': '^2.75.0',
  ai: '>=6',
  react: '>=18',
  'react-dom': '>=18',
  zod: '^4.1.0',
}

/** Builds the package `askback` in a folder, anew: it needs nothing at run time, since what it uses is bundled. */
export async function buildAskback(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const bundled = new Set<string>()
  const inFunctions = new Set<string>()
  await Promise.all([
    bundleFunctions(join(target, 'functions'), inFunctions),
    bundleCommand(join(target, 'bin'), bundled),
    bundleModules(target, bundled),
    writeTypes(join(target, 'types'), Object.values(subpaths)),
    buildWebApp(join(target, 'web'), bundled),
    writeMigrations(join(target, 'migrations')),
    writeTemplates(join(target, 'templates')),
  ])
  await writeFile(join(target, 'functions/function.d.ts'), functionTypes)
  await writeFile(
    join(target, 'functions/words.d.ts'),
    await flattenTypes(join(target, 'types/shared/project-words.d.ts')),
  )
  await writeFile(join(target, 'stylesheet.d.ts'), 'export {}\n')
  for (const [subpath, sources] of Object.entries(stylesheets)) {
    const texts = await Promise.all(sources.map((source) => readFile(join(root, source), 'utf8')))
    await writeFile(join(target, subpath), texts.join('\n'))
  }
  for (const name of ['integration', 'testing']) {
    const types = await readFile(join(root, `scripts/build/vendored-${name}.d.ts`), 'utf8')
    const text = types.replace("'./vendored-integration.d.ts'", "'./integration.d.ts'")
    await writeFile(join(target, `functions/${name}.d.ts`), text)
  }
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  await cp(join(root, 'CHANGELOG.md'), join(target, 'CHANGELOG.md'))
  await cp(join(root, 'client/README.md'), join(target, 'README.md'))
  // Projects take them along.
  await writeFile(join(target, 'functions/LICENCES.txt'), writeLicences(inFunctions))
  await writeFile(join(target, 'LICENCES.txt'), writeLicences(new Set([...bundled, ...inFunctions])))
  await writeFile(join(target, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
}

const functionTypes = `/**
 * The handler of this function, for \`Deno.serve\`. It reads the environment, and throws an Error that names a missing
 * variable. \`names\`: what functions of Askback are called in the project, like \`{ chat: 'assistant' }\`; \`words\`: its
 * own words, as \`ProjectWords\` of \`askback/words\`.
 */
export declare function createHandler(
  names?: Readonly<Record<string, string>>,
  words?: Readonly<Record<string, object>>,
): (request: Request) => Response | Promise<Response>
`

async function manifest() {
  const modules = Object.entries(subpaths).map(([subpath, source]): [string, object] => [
    subpath,
    { types: `./types/${typesOf(source)}`, default: fileOf(subpath) },
  ])
  const functions = (await functionNames()).map((name): [string, object] => [
    `./functions/${name}`,
    { types: './functions/function.d.ts', default: `./functions/${name}.js` },
  ])
  const sheets = Object.keys(stylesheets).map((subpath): [string, object] => [
    subpath,
    { types: './stylesheet.d.ts', default: subpath },
  ])
  return {
    name: 'askback',
    version,
    description:
      'Agent tools for Supabase that fix their own calls, ask only when they must, and never send twice.',
    license: 'MIT',
    type: 'module',
    engines: { node: '^20.19 || >=22.12' },
    bin: { askback: './bin/askback.js' },
    exports: Object.fromEntries([...modules, ...functions, ...sheets, ['./package.json', './package.json']]),
    sideEffects: ['*.css', './bin/*.js'],
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
  }
}

/** `./index.js`, `./client.js`, `./react/composer.js`. */
function fileOf(subpath: string): string {
  return subpath === '.' ? './index.js' : `${subpath}.js`
}

async function bundleModules(target: string, bundled: Set<string>): Promise<void> {
  const input = Object.entries(subpaths).map(([subpath, source]): [string, string] => [
    fileOf(subpath).slice('./'.length, -'.js'.length),
    join(root, source),
  ])
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    external: [...Object.keys(peers).map((name) => new RegExp(`^${name}(?:/|$)`)), /^node:/],
    plugins: [
      withoutFiles,
      esmExternalRequirePlugin({ external: [...builtinModules] }),
      noteBundled(bundled),
    ],
  })
  await bundle.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    paths: (id) => (builtinModules.includes(id) ? `node:${id}` : id),
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
}

async function bundleCommand(target: string, bundled: Set<string>): Promise<void> {
  const bundle = await rolldown({
    input: { askback: join(root, 'cli/askback.ts') },
    platform: 'node',
    plugins: [noteBundled(bundled)],
  })
  await bundle.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

async function buildWebApp(target: string, bundled: Set<string>): Promise<void> {
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'error',
    plugins: [noteBundled(bundled)],
    build: { outDir: target },
  })
  // Its files are no modules.
  bundled.add(join(root, 'node_modules/@fontsource-variable/inter'))
}

async function writeMigrations(target: string): Promise<void> {
  const texts = packageMigrations(join(root, 'supabase/migrations'))
  if (texts.length !== schemaVersion)
    throw new Error(`The migrations end with version ${texts.length}, and version.ts says ${schemaVersion}.`)
  await mkdir(target, { recursive: true })
  for (const [index, text] of texts.entries()) await writeFile(join(target, `${index + 1}.sql`), text)
}
