/**
 * `npm run lab -- mcp-tools [FOLDER]`: what the engine makes of calls that came wrong, of the tools in recorded answers to
 * `tools/list` of MCP servers (a file each), as a table for docs/measurements.md, and of their definitions, spoiled; without a
 * folder of our own tools. `--cases` lists all that went wrong.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { measureServers, tableOf } from './measure.ts'
import { measureDefinitions, sentenceOf } from './measure-definitions.ts'
import { ownServers, readServers } from './servers.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cases: { type: 'boolean' } } })
const [folder] = positionals
const servers = folder === undefined ? ownServers() : await readServers(folder)
const results = measureServers(servers)
const definitions = await measureDefinitions(servers.map(({ listed = [] }) => listed))
const measured = `${tableOf(results)}\n\n${sentenceOf(definitions)}`
console.log(measured)
const wrong = [...results.flatMap((result) => result.wrong.map(({ line }) => line)), ...definitions.wrong]
for (const line of values.cases ? wrong : wrong.slice(0, 20)) console.log(line)
if (folder !== undefined) await writeMeasured('npm run lab -- mcp-tools', measured)
if (wrong.length > 0) process.exitCode = 1
