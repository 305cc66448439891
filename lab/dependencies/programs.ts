import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../../scripts/platform.ts'

/** What a function may load to send the same: nothing, a client of ours, or the official package. */
const programs = [
  'nothing',
  'our-rpc',
  'supabase-js',
  'our-model-client',
  'openai',
  'our-google-send',
  'googleapis-send',
  'our-google-delete',
  'googleapis-delete',
]

export interface Bundle {
  name: string
  path: string
  bytes: number
}

/** Each program in one file, as the packages of a function are deployed. `discard` removes the files. */
export async function bundlePrograms(): Promise<{ bundles: Bundle[]; discard(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'askback-dependencies-'))
  const bundles: Bundle[] = []
  for (const name of programs) {
    const path = join(folder, `${name}.mjs`)
    const bundle = await rolldown({
      input: join(root, `lab/dependencies/programs/${name}.ts`),
      platform: 'node',
      logLevel: 'silent',
    })
    await bundle.write({ file: path, format: 'esm', codeSplitting: false, minify: true })
    await bundle.close()
    bundles.push({ name, path, bytes: (await stat(path)).size })
  }
  return { bundles, discard: () => rm(folder, { recursive: true }) }
}
