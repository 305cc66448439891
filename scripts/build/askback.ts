import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { version } from '../../shared/server/version.ts'
import { root } from '../platform.ts'

/** Its package.json. It needs nothing at run time: what it uses is bundled. */
const manifest = {
  name: 'askback',
  version,
  description:
    'Agent tools for Supabase that fix their own calls, ask only when they must, and never send twice.',
  license: 'MIT',
  type: 'module',
  engines: { node: '^20.19 || >=22.12' },
  bin: { askback: './bin/askback.js' },
  files: ['bin', 'web'],
}

/** Builds the package `askback` in a folder, anew. */
export async function buildAskback(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  await bundleCommand(join(target, 'bin'))
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function bundleCommand(target: string): Promise<void> {
  const bundle = await rolldown({ input: { askback: join(root, 'cli/askback.ts') }, platform: 'node' })
  await bundle.write({ dir: target, format: 'esm', sourcemap: true, chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
}
