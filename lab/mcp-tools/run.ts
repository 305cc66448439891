/**
 * `npm run lab -- mcp-tools [FOLDER]`: what the engine makes of calls that came wrong, of the tools in recorded answers to
 * `tools/list` of MCP servers (a file each), as a table for docs/measurements.md; without a folder of our own tools.
 * `--cases` lists all that went wrong.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { measureServers, tableOf } from './measure.ts'
import { ownServers, readServers } from './servers.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cases: { type: 'boolean' } } })
const [folder] = positionals
const results = measureServers(folder === undefined ? ownServers() : await readServers(folder))
console.log(tableOf(results))
const wrong = results.flatMap((result) => result.wrong)
for (const { line } of values.cases ? wrong : wrong.slice(0, 20)) console.log(line)
if (folder !== undefined) await writeMeasured('npm run lab -- mcp-tools', tableOf(results))
if (wrong.length > 0) process.exitCode = 1
