import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const definition = /^create (?:or replace )?function askback\.version\(\)[\s\S]*?'schema', (\d+)/m

/**
 * The migrations of a folder as the package has them: one text for each version of the schema, the first one first. A file
 * that defines `askback.version()` begins a version, and the files up to the next such file belong to it.
 *
 * @throws {Error} when the versions are not 1, 2, 3, …
 */
export function packageMigrations(folder: string): string[] {
  const versions: string[][] = []
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  for (const file of files.sort()) {
    const text = readFileSync(join(folder, file), 'utf8')
    const [, number] = definition.exec(text) ?? []
    if (number !== undefined) versions.push([])
    if (number !== undefined && Number(number) !== versions.length)
      throw new Error(
        `${file} makes the schema version ${number}, and the one before is ${versions.length - 1}.`,
      )
    if (!versions.at(-1))
      throw new Error(`${file} comes before the first file that defines askback.version().`)
    versions.at(-1)?.push(text)
  }
  return versions.map((texts) => texts.join('\n'))
}
