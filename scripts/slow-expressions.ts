/**
 * Lists the regular expressions in the given folders for which recheck finds an input that takes more than linear
 * time: `npx tsx scripts/slow-expressions.ts shared/mail`. Fails when there are any.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { check } from 'recheck'
import { root } from './platform.ts'

/** A regex literal: a slash that is not a division, classes and escapes, flags. */
const literal = /(?<![\w)\]$])\/(?![/*])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g
/**
 * Slow is measured in characters read, not in milliseconds, so that a busy machine finds the same. An expression that
 * recheck cannot decide within `timeout` milliseconds does not count as slow.
 */
const limits = { timeout: 20_000, incubationTimeout: null, attackTimeout: null, attackLimit: 100_000_000 }

const seen = new Set<string>()
let expressions = 0
let slow = 0
for (const folder of process.argv.slice(2)) {
  for (const name of await readdir(join(root, folder), { recursive: true })) {
    if (name.endsWith('.ts')) await checkFile(join(folder, name))
  }
}
console.log(`${expressions} expressions, ${slow} of them slow`)
process.exit(slow === 0 && expressions > 0 ? 0 : 1)

async function checkFile(file: string): Promise<void> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n')
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) continue
    for (const [expression, source = '', flags = ''] of line.matchAll(literal)) {
      expressions++
      // Most have no part that repeats, and many stand in several files.
      if (!/[*+{]/.test(source) || seen.has(expression)) continue
      seen.add(expression)
      const result = await check(source, flags.replace('d', ''), limits)
      if (result.status !== 'vulnerable') continue
      slow++
      const { complexity, attack } = result
      console.error(
        `${file}:${index + 1} ${expression} is ${complexity.summary}, for example on ${attack.pattern}`,
      )
    }
  }
}
