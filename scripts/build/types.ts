import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { installed, root, runAside } from '../platform.ts'

/** Packages whose types are taken from `foreign.d.ts` instead. */
const foreign = /'(?:openai\/resources\/chat\/completions|@cfworker\/json-schema|jose)'/g
const relativeImport = /(from |import\()(['"])(\.[^'"]+)\2/g

/**
 * Writes the types of modules and of all that they mention, below `target` as their sources lie in the checkout. Returns
 * the path of each module's types, relative to `target`.
 */
export async function writeTypes(target: string, modules: string[]): Promise<void> {
  const draft = `${target}-draft`
  const settings = join(root, `node_modules/.cache/types-${process.pid}.json`)
  await mkdir(dirname(settings), { recursive: true })
  const files = modules.map((path) => join(root, path))
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: draft,
  }
  await writeFile(
    settings,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, files, include: [] }),
  )
  const { code, output } = await runAside(installed('tsc'), ['-p', settings])
  await rm(settings)
  if (code !== 0) throw new Error(`The types could not be written.\n${output}`)
  const done = new Set<string>()
  for (const path of modules) await copy(typesOf(path), draft, target, done)
  await writeFile(
    join(target, 'foreign.d.ts'),
    await readFile(join(root, 'scripts/build/foreign.d.ts'), 'utf8'),
  )
  await rm(draft, { recursive: true })
}

/** The types of a module, as a path. */
export function typesOf(path: string): string {
  return path.replace(/\.tsx?$/, '.d.ts')
}

async function copy(path: string, from: string, to: string, done: Set<string>): Promise<void> {
  if (done.has(path)) return
  done.add(path)
  const mentioned: string[] = []
  const text = (await readFile(join(from, path), 'utf8'))
    .replace(relativeImport, (_, before, quote, name) => {
      mentioned.push(join(dirname(path), typesOf(name.replace(/\.js$/, '.ts'))))
      return `${before}${quote}${name.replace(/\.tsx?$/, '.js')}${quote}`
    })
    .replace(foreign, `'${relative(dirname(path), 'foreign.js')}'`)
  await mkdir(dirname(join(to, path)), { recursive: true })
  await writeFile(join(to, path), text)
  for (const one of mentioned) await copy(one, from, to, done)
}
