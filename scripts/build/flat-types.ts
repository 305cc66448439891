import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const mention = /(?:from '|import\(")(\.[^'"]+)\.js['"]/g
/** How a type is mentioned whose module is not imported: `import("./refuse.js").Refuse`. */
const mentionInPlace = /import\("\.[^"]+"\)\./g
const imports = /^import [^;]*;\n/gm
const passedOn = /^export (?:type )?\{([^}]*)\} from '[^']+';\n/gm

/**
 * The types of a module that only passes on what others export, in one file: a project that has no package takes them
 * along. No two types that it mentions have the same name.
 */
export async function flattenTypes(path: string): Promise<string> {
  const texts: string[] = []
  const done = new Set<string>()
  const names: string[] = []
  async function add(file: string): Promise<void> {
    if (done.has(file)) return
    done.add(file)
    const text = await readFile(file, 'utf8')
    for (const [, other = ''] of text.matchAll(mention)) await add(join(dirname(file), `${other}.d.ts`))
    if (file === path) names.push(...[...text.matchAll(passedOn)].flatMap(([, list = '']) => list.split(',')))
    else
      texts.push(
        text
          .replace(imports, '')
          .replace(passedOn, '')
          .replace(mentionInPlace, '')
          .replace(/^export (?:\{\};\n)?/gm, ''),
      )
  }
  await add(path)
  return `${texts.join('')}export { ${names.map((name) => name.trim()).join(', ')} };\n`
}
