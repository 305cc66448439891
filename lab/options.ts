import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The options of an experiment that reads a file or a folder, and the path of it, which is the only other word.
 * `usage`: what stands after `npm run lab --`. Ends the process where there is no path, or more than one.
 */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [path, ...more] = positionals
  if (path !== undefined && more.length === 0) return { path, values }
  console.error(`Run: npm run lab -- ${usage}`)
  process.exit(1)
}
