/** `npm run lab -- NAME …`: runs an experiment with the options that follow its name. Without a name it lists them all. */
import { experiments } from './experiments.ts'

const [name] = process.argv.splice(2, 1)
const experiment = Object.entries(experiments).find(([known]) => known === name)?.[1]
if (experiment !== undefined) await experiment.run()
else {
  const width = Math.max(...Object.keys(experiments).map(({ length }) => length))
  const lines = Object.entries(experiments).map(([known, { what }]) => `  ${known.padEnd(width)}  ${what}`)
  if (name !== undefined) console.error(`There is no experiment "${name}".\n`)
  console.log(`npm run lab -- NAME, where NAME is one of these:\n\n${lines.join('\n')}`)
  process.exitCode = name === undefined ? 0 : 1
}
