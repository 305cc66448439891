import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { StartError } from '../process/start-error.ts'

type Imports = Record<string, string>

const mapSchema = z.object({
  imports: z.record(z.string(), z.string()).optional(),
  scopes: z.record(z.string(), z.record(z.string(), z.string())).optional(),
})

const nothing = 'data:text/javascript,export{}'
const functionsJs = /^jsr:\/?@supabase\/functions-js(?![\w-])/
const supabaseJs = /^jsr:\/?(@supabase\/supabase-js(?![\w-])[^?#]*)/
const ofRegistry = /^(jsr|npm):\/?(?=[^/])/

/**
 * The import map of a function: its own, with what comes from JSR mapped to npm where both have it. `@supabase/functions-js`
 * holds only types, so nothing takes its place. `sources`: the texts that may import something.
 */
export function makeImportMap(mapFile: string | undefined, sources: readonly string[]) {
  const { imports = {}, scopes = {} } = mapFile === undefined ? {} : readMap(mapFile)
  const base = mapFile === undefined ? undefined : pathToFileURL(mapFile)
  const resolved = (map: Imports): Imports =>
    Object.fromEntries(
      Object.entries(map).flatMap(([name, target]) => {
        const to = withoutJsr(/^\.{0,2}\//.test(target) ? new URL(target, base).href : target)
        const whole: [string, string][] = [[name, to]]
        // As Deno does it in a deno.json: the name of a package also stands for what is in it.
        if (!ofRegistry.test(to) || name.endsWith('/') || `${name}/` in map) return whole
        return [...whole, [`${name}/`, `${to.replace(ofRegistry, '$1:/')}/`] as [string, string]]
      }),
    )
  return {
    imports: { ...resolved(imports), ...writtenImports(sources, imports) },
    scopes: Object.fromEntries(
      Object.entries(scopes).map(([place, map]) => [new URL(place, base).href, resolved(map)]),
    ),
  }
}

function readMap(path: string) {
  const text = readFileSync(path, 'utf8')
  try {
    // Comments and trailing commas are allowed in a deno.jsonc; strings stay as they are.
    const json = text.replace(/("(?:[^"\\]|\\[\s\S]?)*(?:"|$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '$1')
    return mapSchema.parse(
      JSON.parse(json.replace(/("(?:[^"\\]|\\[\s\S]?)*(?:"|$))|,(?=\s{0,1000}[}\]])/g, '$1')),
    )
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** Specifiers as the code writes them, `jsr:…` and those below a name that stands for `@supabase/functions-js`. */
function writtenImports(sources: readonly string[], imports: Imports): Imports {
  const typesOnly = Object.entries(imports).flatMap(([name, target]) =>
    functionsJs.test(target) ? [name] : [],
  )
  const written = sources.flatMap((source) =>
    [...source.matchAll(/["']((?:jsr:|[@\w])[^"'\s]{1,200})["']/g)].map(([, specifier = '']) => specifier),
  )
  const entries = [...new Set(written)].flatMap((specifier): [string, string][] => {
    if (typesOnly.some((name) => specifier.startsWith(`${name}/`))) return [[specifier, nothing]]
    const to = withoutJsr(specifier)
    return to === specifier ? [] : [[specifier, to]]
  })
  return Object.fromEntries(entries)
}

function withoutJsr(target: string): string {
  return functionsJs.test(target) ? nothing : target.replace(supabaseJs, 'npm:$1')
}

/** The file that maps a function's imports: the one it names, its own `deno.json`, or an older `import_map.json`. */
export function findMapFile(
  functionsDirectory: string,
  folder: string,
  named: string | undefined,
): string | undefined {
  const candidates = [
    ...(named === undefined ? [] : [named]),
    ...['deno.json', 'deno.jsonc', 'import_map.json'].map((name) => join(folder, name)),
    ...['deno.json', 'deno.jsonc', 'import_map.json'].map((name) => join(functionsDirectory, name)),
  ]
  return candidates.find((path) => existsSync(path))
}
