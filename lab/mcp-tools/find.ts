/**
 * `npm run lab -- find-tools FOLDER`: how many requests in people's words find their tool in the first eight, with all servers
 * of recorded answers to `tools/list` (a file each) connected at once. `--cases` lists those that do not.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { findTools } from '../../shared/engine/tools/find-tools.ts'
import { importTools } from '../../shared/integrations/mcp/import-tools.ts'
import { specify } from '../../shared/integrations/mcp/specify.ts'
import { writeMeasured } from '../measured.ts'
import { readServers } from './servers.ts'

type Requests = Record<string, [request: string, tools: string[]][]>

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cases: { type: 'boolean' } } })
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder with the recorded lists.')
const requests: Requests = JSON.parse(await readFile(new URL('requests.json', import.meta.url), 'utf8'))
const tools: ToolSpecification[] = []
for (const { name, listed } of await readServers(folder)) {
  const server = name.replace('-reference', '').replaceAll('-', '_')
  const { tools: read } = await importTools(listed, { server, taken: tools.map((tool) => tool.name) })
  tools.push(...read.map((tool) => specify(tool, { name: server, trusted: false })))
}
const names = new Set(tools.map(({ name }) => name))
const rows: string[] = []
for (const [set, asked] of Object.entries(requests)) {
  const missed: string[] = []
  for (const [request, right] of asked) {
    for (const name of right) if (!names.has(name)) throw new Error(`There is no tool ${name}.`)
    const found = findTools(request, tools).map(({ name }) => name)
    if (!right.some((name) => found.includes(name))) missed.push(`${request}: ${found.join(', ')}`)
  }
  rows.push(`| ${set} | ${asked.length - missed.length} of ${asked.length} |`)
  if (values.cases) console.log(missed.join('\n'))
}
const table = [`| requests, among ${tools.length} tools | found |`, '|---|---|', ...rows].join('\n')
console.log(table)
await writeMeasured('npm run lab -- find-tools', table)
