import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/platform.ts'

/** Where every figure of the documentation stands. */
const page = join(root, 'docs/measurements.md')

/**
 * Puts what a command has measured into docs/measurements.md, between the two marks that name the command, with the day
 * and the machine. Throws where the page has no such place.
 */
export async function writeMeasured(command: string, measured: string): Promise<void> {
  const before = await readFile(page, 'utf8')
  const start = `<!-- measured: ${command} -->\n`
  const end = `<!-- end: ${command} -->`
  const [head, rest] = split(before, start)
  const [, tail] = split(rest, end)
  const day = new Date().toISOString().slice(0, 10)
  const machine = `Measured on ${day}, ${cpus().length} cores, Node ${process.version.slice(1)}.`
  await writeFile(page, `${head}${start}${machine}\n\n${measured.trim()}\n${end}${tail}`)
  console.log('\nThese figures are in docs/measurements.md now.')
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  if (at < 0)
    throw new Error(`docs/measurements.md has no line "${mark.trim()}". Put it back and run this again.`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}
