/**
 * Finds folders of the product that import each other in a circle, and imports from a later layer.
 * The exit code is 1 if there are any.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { root } from './platform.ts'

const product = [
  'shared/words',
  'shared/engine',
  'shared/integrations',
  'shared/api',
  'shared/server',
  'supabase/functions',
  'local',
  'cli',
  'client',
  'web',
]
/** A file may import from its own layer and from those listed before it. */
const floors = [...product, 'support', 'lab', 'tests']
const relativeImport = /\bfrom\s+'(\.[^']+)'|\bimport\s+'(\.[^']+)'/g

/** The folders that each folder imports, with one file that does. */
const imports = new Map<string, Map<string, string>>()
const upwards: string[] = []

for (const floor of floors) {
  for (const entry of await readdir(join(root, floor), { recursive: true })) {
    if (/\.tsx?$/.test(entry) && !entry.includes('node_modules')) await readImports(join(floor, entry))
  }
}
const circles = [...imports.keys()].flatMap((folder) => {
  const path = pathBack(folder)
  return path && path[0] === [...path].sort()[0] ? [path] : []
})
for (const path of circles) {
  const steps = path.map((folder, index) => imports.get(folder)?.get(path[index + 1] ?? folder))
  console.error(`Circle of folders: ${[...path, path[0]].join(' -> ')} (${steps.filter(Boolean).join(', ')})`)
}
for (const line of upwards) console.error(line)
process.exitCode = circles.length + upwards.length > 0 ? 1 : 0

async function readImports(file: string): Promise<void> {
  const from = dirname(file)
  const source = await readFile(join(root, file), 'utf8')
  for (const [, named, bare] of source.matchAll(relativeImport)) {
    const target = relative(root, join(root, from, named ?? bare ?? ''))
    const to = dirname(target)
    if (floorOf(to) > floorOf(from)) upwards.push(`${file} imports ${target}, which is in a later layer.`)
    if (to === from || floorOf(from) >= product.length) continue
    const targets = imports.get(from) ?? new Map<string, string>()
    imports.set(from, targets.set(to, file))
  }
}

function floorOf(folder: string): number {
  return floors.findIndex((floor) => folder === floor || folder.startsWith(`${floor}/`))
}

/** The shortest path from a folder back to itself. */
function pathBack(start: string): string[] | undefined {
  const paths: string[][] = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of imports.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return path
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}
